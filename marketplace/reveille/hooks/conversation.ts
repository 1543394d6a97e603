// The conversation as the program reads it, and back.
import type { EngineInterface, SessionMessage } from 'claude-code'
import type { Row } from './program'

// At so many entries the window may go on before what is read.
const WHOLE_WINDOW = 4096

// A message without what the program does not read: tool records, and each result once.
export const toldOf = (message: SessionMessage): Record<string, unknown> => ({
  handle: message.handle,
  role: message.role,
  text: message.text,
  uses: message.toolUses.map(use => ({ id: use.tool_use_id, tool: use.tool, input: use.input })),
  results: (message.toolResults ?? []).map(result => ({ id: result.tool_use_id, text: result.text, error: result.isError })),
})

// Rows as the engine takes them: its own messages by their handles.
export function messagesOf(rows: readonly Row[], messages: readonly SessionMessage[]): SessionMessage[] {
  const byHandle = new Map(messages.map(message => [message.handle, message]))
  return rows.flatMap(row => {
    if (!('handle' in row)) {
      return [{ role: row.role, text: row.text, toolUses: [], ...(row.toolResults === undefined ? {} : { toolResults: row.toolResults.map(result => ({ ...result, result: result.text })) }) }]
    }
    const message = byHandle.get(row.handle)
    return message === undefined ? [] : [message]
  })
}

// Live characters of the window at its last reading: text, thinking, tool input as JSON and result text, up to the last response. Undefined: it cannot be read whole.
export async function liveCharacters($: EngineInterface, agent: string | undefined): Promise<number | undefined> {
  const messages = agent === undefined ? await $.session.messages({ as: 'api' }) : await $.session.messages({ as: 'api', agentId: agent })
  if (!Array.isArray(messages) || messages.length >= WHOLE_WINDOW) return undefined
  const last = messages.findLastIndex(message => message.role === 'assistant')
  let count = 0
  for (const message of messages.slice(0, last + 1)) for (const block of message.content) count += charactersOf(block)
  return count
}

function charactersOf(block: { type: string; [field: string]: unknown }): number {
  switch (block.type) {
    case 'text':
      return scalars(block['text'])
    case 'thinking':
      return scalars(block['thinking'])
    case 'tool_use':
      return scalars(JSON.stringify(block['input'] ?? {}))
    case 'tool_result': {
      const content = block['content']
      if (typeof content === 'string') return scalars(content)
      return Array.isArray(content) ? content.reduce((sum: number, part) => sum + charactersOf(part), 0) : 0
    }
    default:
      return 0
  }
}

// Unicode scalar values: a surrogate pair is one.
function scalars(text: unknown): number {
  if (typeof text !== 'string') return 0
  let count = text.length
  for (let at = 0; at < text.length - 1; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = text.charCodeAt(at + 1)
      if (next >= 0xdc00 && next <= 0xdfff) {
        count -= 1
        at += 1
      }
    }
  }
  return count
}

// Main's window as the client has it.
export async function figuresOf($: EngineInterface): Promise<Record<string, unknown> | undefined> {
  try {
    const { context } = await $.session.usage({ breakdown: 'summary' })
    const breakdown = context.breakdown
    return { window: context.window, raw: breakdown?.rawMaxTokens, threshold: breakdown?.autoCompactThreshold, setBy: breakdown?.autocompactSource }
  } catch {
    // Read again at main's next step.
    return undefined
  }
}

// The agents as listed; undefined: the list cannot be read.
export async function agentsOf($: EngineInterface): Promise<Record<string, unknown>[] | undefined> {
  try {
    const agents = await $.agent.list()
    return agents.map(({ id, type, description, status, parentId, contextWindowSize, tokenCount, cwd }) => ({ id, type, description, status, parentId, contextWindowSize, tokenCount, cwd }))
  } catch {
    return undefined
  }
}
