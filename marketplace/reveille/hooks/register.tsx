// Wiring: every event becomes one question to the program, and its answer the engine's values. Nothing is decided here.
import type { EngineInterface, Register } from 'claude-code'
import { agentsOf, figuresOf, messagesOf, toldOf, windowOf } from './conversation'
import { ask, hasFailed, partyOf, readingTool, register as registerTools, settingsHook, transcriptIn, watchOf } from './program'

type Options = Readonly<Record<string, unknown>>

const TOOL = 'mcp__reveille__'
const HANDOFF = `${TOOL}forward_compaction`
const READING: Readonly<Record<string, string>> = { [`${TOOL}look_back`]: 'look_back', [`${TOOL}session_wake`]: 'session_wake' }
// Tools whose finished calls change what the ledger knows.
const EFFECTS = new Set(['Read', 'Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'TodoWrite', 'TaskCreate', 'TaskUpdate'])
// Tools that may read a transcript's file.
const READERS = new Set(['Read', 'Grep', 'Bash', 'PowerShell'])
const MARKERS = ['<reveille wake>', '<reveille handoff>']

// The request that a party's calls belong to: the one whose step last started.
const requests = new Map<string, string>()
// The model that main's window was last read for.
let figuresFor: string | undefined

const inputOf = (e: Record<string, unknown>): Record<string, unknown> => {
  const { tool: _tool, tool_use_id: _id, agentId: _agent, requestMeta: _meta, ...input } = e
  return input
}

const textOf = (content: unknown): string =>
  Array.isArray(content) ? content.map(block => (block?.type === 'text' && typeof block.text === 'string' ? block.text : '')).join('\n') : ''

// What a resume left of the conversation begins with. Undefined: there is none, or it cannot be read yet, as headless before session.start.
async function firstOf($: EngineInterface): Promise<string | undefined> {
  try {
    const messages = await $.session.messages()
    return messages[0]?.text
  } catch {
    return undefined
  }
}

async function compactBy($: EngineInterface, compact: { how: 'session' | 'command'; tag: string } | undefined): Promise<void> {
  if (compact === undefined) return
  if (compact.how === 'command') {
    // Not awaited: it runs between turns.
    void $.command.run({ command: 'compact', args: compact.tag }).catch(() => undefined)
    return
  }
  try {
    const compacted = await $.session.compact({ instructions: compact.tag })
    if (compacted.skip !== undefined) $.ui.log(`Reveille: the handoff is not installed yet: ${compacted.skip}`)
  } catch {
    // A turn is in flight: the next turn's end tries again.
  }
}

// What runs in the background, as of a stop.
async function stopped($: EngineInterface, options: Options, e: { background_tasks?: unknown; session_crons?: unknown }): Promise<void> {
  await ask($, options, 'stop', undefined, { background_tasks: e.background_tasks, session_crons: e.session_crons })
}

async function handOff($: EngineInterface, options: Options, e: Record<string, unknown>): Promise<{ text: string; error: boolean }> {
  const agent = e['agentId'] as string | undefined
  const answer = await ask($, options, 'call.start', agent, {
    tool: e['tool'],
    id: e['tool_use_id'],
    request: requests.get(partyOf(agent)),
    input: inputOf(e),
    figures: await figuresOf($),
    characters: (await windowOf($, agent)).characters,
    module: true,
  })
  return answer?.result ?? { text: 'Refused, and nothing was stored: Reveille could not answer. Go on without a handoff.', error: true }
}

export const register: Register = (on, options) => {
  on('session.start', async ($, e, next) => {
    const started = await next(e)
    await registerTools($, options)
    const answer = await ask($, options, 'start', undefined, {
      isInteractive: e.isInteractive,
      cwd: e.cwd,
      first: await firstOf($),
      canCompact: !e.isInteractive,
    })
    if (answer === undefined) await $.mcp.connect('reveille').catch(() => undefined)
    await compactBy($, answer?.compact)
    return started
  }).catch(($, e, next) => {
    hasFailed('session.start')
    return next(e)
  })

  on('classic.SessionStart', async ($, e, next) => {
    if (e.agent_id !== undefined) return next(e)
    await $.env.set('REVEILLE_MODULE', e.session_id)
    const result = await next(e)
    const surfaces = await $.session.surfaces()
    // Resumed from within another session, the conversation that can be read is still the other's.
    const isBound = (await $.session.id()) === e.session_id
    const goesOn = e.source === 'resume' || e.source === 'fork'
    const isInteractive = surfaces.includes('terminal')
    const data = { source: e.source, cwd: e.cwd, isInteractive, first: goesOn ? (isBound ? await firstOf($) : '') : undefined, canCompact: isInteractive }
    const answer = e.source === 'compact' ? undefined : await ask($, options, 'start', undefined, data, e.session_id)
    await compactBy($, answer?.compact)
    const wake = await settingsHook($, options, e).catch(() => void hasFailed('classic.SessionStart'))
    return wake === undefined ? result : { ...result, additionalContext: [...(result.additionalContext ?? []), wake] }
  }).catch(($, e, next) => {
    hasFailed('classic.SessionStart')
    return next(e)
  })

  on('session.end', async ($, e, next) => {
    await ask($, options, 'end', undefined, { reason: e.reason }, e.sessionId)
    return next(e)
  }).catch(($, e, next) => {
    hasFailed('session.end')
    return next(e)
  })

  on('mcp.connect', ($, e, next) =>
    // The manifest's server, by the name that /mcp lists it under. The one that serves the tools registered here has another.
    e.server === `plugin:${$.plugin.name}:${$.plugin.name}`
      ? { value: { isConnected: false, reason: 'disabled', message: 'The hooks module serves these tools in this session.' } }
      : next(e),
  ).catch(($, e, next) => next(e))

  on('turn.start', async ($, e, next) => {
    await ask($, options, 'turn.start', e.agentId, { turnId: e.turnId })
    return next(e)
  }).catch(($, e, next) => {
    hasFailed('turn.start')
    return next(e)
  })

  on('turn.step', async function* ($, e, next) {
    requests.set(partyOf(e.agentId), `${e.turnId}#${e.index}`)
    if (watchOf(e.agentId).measure) {
      await ask($, options, 'measured', e.agentId, { characters: (await windowOf($, e.agentId)).characters })
    }
    const result = yield* next(e)
    const isNew = e.agentId === undefined && (figuresFor !== e.model || watchOf(undefined).figures)
    const figures = isNew ? await figuresOf($) : undefined
    if (figures !== undefined) figuresFor = e.model
    await ask($, options, 'step.end', e.agentId, {
      model: e.model,
      stopReason: result.stopReason,
      usage: result.usage,
      figures,
      agents: e.agentId === undefined ? undefined : await agentsOf($),
    })
    return result
  })

  on('turn.complete', async ($, e, next) => {
    const completed = await next(e)
    const answer = await ask($, options, 'turn.end', e.agentId, { turnId: e.turnId, reason: e.reason })
    await compactBy($, answer?.compact)
    return completed
  }).catch(($, e, next) => {
    hasFailed('turn.complete')
    return next(e)
  })

  on('tool.call', async ($, e, next) => {
    const call = e as unknown as Record<string, unknown>
    const tool = String(e.tool)
    if (tool === HANDOFF) {
      const { text, error } = await handOff($, options, call)
      return error ? { deny: text } : { result: text }
    }
    const reading = READING[tool]
    if (reading !== 'look_back' && watchOf(e.agentId).before) {
      const answer = await ask($, options, 'call.start', e.agentId, {
        tool,
        id: e.tool_use_id,
        request: requests.get(partyOf(e.agentId)),
        module: true,
      })
      if (answer?.deny !== undefined) return { deny: answer.deny }
    }
    if (reading !== undefined) {
      const answered = await readingTool($, options, reading, e.agentId, inputOf(call))
      if (answered === undefined) return { deny: 'Reveille has no program in this session.' }
      if (answered.line !== undefined) $.ui.log(answered.line)
      return answered.error ? { deny: answered.text } : { result: answered.text }
    }
    const result = await next(e)
    const session = READERS.has(tool) ? transcriptIn(call) : undefined
    if (!EFFECTS.has(tool) && session === undefined && !watchOf(e.agentId).after) return result
    const isDenied = result.deny !== undefined
    const answer = await ask($, options, 'call.end', e.agentId, {
      tool,
      input: EFFECTS.has(tool) || session !== undefined ? inputOf(call) : undefined,
      denied: isDenied,
      failed: isDenied || result.isError === true,
      session,
      result: tool === 'TaskCreate' && !isDenied ? result.result : undefined,
    })
    if (isDenied || answer?.context === undefined) return result
    return { ...result, context: [...(result.context ?? []), answer.context] }
  }).catch(($, e, next) => {
    hasFailed('tool.call')
    return next(e)
  })

  on('session.compact', async ($, e, next) => {
    const answer = await ask($, options, 'compact', e.agentId, {
      trigger: e.trigger,
      instructions: e.instructions,
      messages: e.messages.map(toldOf),
      agents: await agentsOf($),
      ...(await windowOf($, e.agentId)),
    })
    if (answer?.messages !== undefined) {
      return { messages: messagesOf(answer.messages, e.messages), ...(answer.tokensBefore === undefined ? {} : { tokensBefore: answer.tokensBefore }) }
    }
    if (answer?.skip !== undefined) return { skip: answer.skip }
    const compacted = await next(e)
    await ask($, options, 'compacted', e.agentId, { replaced: compacted.skip === undefined })
    return compacted
  }).catch(($, e, next) => {
    hasFailed('session.compact')
    return next(e)
  })

  on('prompt.submit', async ($, e, next) => {
    const result = await next(e)
    if (!('drop' in result) || result.drop === undefined) {
      await ask($, options, 'prompt', undefined, { text: e.text, origin: e.origin?.kind, isMeta: e.isMeta === true, command: e.command === undefined ? undefined : 'yes' })
    }
    return result
  }).catch(($, e, next) => {
    hasFailed('prompt.submit')
    return next(e)
  })

  on('session.receive', async ($, e, next) => {
    const result = await next(e)
    if (result.consumed === undefined) await ask($, options, 'receive', e.agentId, { text: result.text, origin: e.origin.kind })
    return result
  }).catch(($, e, next) => next(e))

  on('skill.prompt', async ($, e, next) => {
    const result = await next(e)
    await ask($, options, 'skill', undefined, { skill: e.skill, text: result.text, path: e.path, keep: e.frontmatter['keep'] === true })
    return result
  }).catch(($, e, next) => {
    hasFailed('skill.prompt')
    return next(e)
  })

  on('session.append', async ($, e, next) => {
    const result = await next(e)
    const isCarrier = e.door === 'tool-message' || e.door === 'note'
    if (isCarrier && watchOf(undefined).appends) await ask($, options, 'append', e.agentId, { door: e.door, text: textOf(e.message.content) })
    return result
  }).catch(($, e, next) => next(e))

  on('agent.spawn', async ($, e, next) => {
    const result = await next(e)
    if (result.deny === undefined && result.agentId !== undefined) {
      await ask($, options, 'spawn', undefined, {
        agentId: result.agentId,
        parentAgentId: e.parentAgentId,
        subagentType: e.subagentType,
        description: e.description,
        prompt: e.prompt,
        resumed: e.resume !== undefined,
        fork: e.fork,
      })
    }
    return result
  }).catch(($, e, next) => next(e))

  on('agent.report', async ($, e, next) => {
    await ask($, options, 'report', undefined, { agentId: e.agentId, status: e.status })
    return next(e)
  }).catch(($, e, next) => next(e))

  on('tool.offer', { tool: HANDOFF }, async ($, e, next) => {
    const result = await next(e)
    if (result.isOffered && e.agentId !== undefined) await ask($, options, 'tool.offer', e.agentId, {})
    return result
  }).catch(($, e, next) => next(e))

  on('classic.PermissionRequest', async ($, e, next) => {
    // They read, and write what is Reveille's own.
    const isOurs = e.tool_name === HANDOFF || READING[e.tool_name] !== undefined
    return isOurs ? { decision: { behavior: 'allow' } } : next(e)
  }).catch(($, e, next) => {
    hasFailed('classic.PermissionRequest')
    return next(e)
  })

  on('classic.Stop', async ($, e, next) => {
    const result = await next(e)
    await stopped($, options, e)
    return result
  }).catch(($, e, next) => {
    hasFailed('classic.Stop')
    return next(e)
  })

  on('classic.SubagentStop', async ($, e, next) => {
    const result = await next(e)
    await stopped($, options, e)
    return result
  }).catch(($, e, next) => {
    hasFailed('classic.SubagentStop')
    return next(e)
  })

  on('command.run', { command: 'handoff' }, async $ => {
    const answer = await ask($, options, 'status', undefined, {})
    return { text: answer?.text ?? 'Reveille could not answer.' }
  })

  on('ui.render', { component: 'UserMessage' }, async ($, e, next) => {
    const isWake = MARKERS.some(marker => e.props.text.trimStart().startsWith(marker))
    if (!isWake || e.props.isExpanded) return next(e)
    const { Box, Text } = $.ui.resolve(e)
    return (
      <Box>
        <Text dimColor>Reveille's wake, {[...e.props.text].length} characters (ctrl+o shows it)</Text>
      </Box>
    )
  })
}
