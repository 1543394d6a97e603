// The native program: found once, then one short process an event. Nothing is decided here.
import type { EngineInterface } from 'claude-code'

// What the program answers to one event. Every field is there only when there is something to do.
export type Answer = {
  context?: string
  deny?: string
  result?: { text: string; error: boolean }
  messages?: readonly Row[]
  tokensBefore?: number
  skip?: string
  compact?: { how: 'session' | 'command'; tag: string }
  toasts?: readonly string[]
  lines?: readonly string[]
  faults?: readonly string[]
  status?: string
  text?: string
  watch?: Watch
  tools?: readonly { name: string; description: string; inputSchema: Record<string, unknown> }[]
}

// A message that a compaction gives back: the engine's own by its handle, or a built one.
export type Row = { handle: string } | { role: 'user' | 'assistant'; text: string; toolResults?: readonly BuiltResult[] }
type BuiltResult = { tool_use_id: string; text: string; isError: boolean }

// What need not be asked about a party until the program says otherwise.
export type Watch = { before: boolean; after: boolean; measure: boolean; figures: boolean; appends: boolean }

const EVENT_MS = 20_000
const FIND_MS = 8_000
const TRIES = 3
// Events at which the session may not be bound yet, or not any more.
const UNBOUND = new Set(['start', 'tools', 'end'])

let found: { path: string; env: Record<string, string> } | undefined
let tries = 0
let finding: Promise<typeof found> | undefined
let status: string | undefined
// The session that the last event was told of.
let told: string | undefined
let registered = false
let registering = 0
const failed = new Set<string>()
const shown = new Set<string>()
const watches = new Map<string, Watch>()

// JSON that every reader takes: half of a surrogate pair, as a cut inside an emoji leaves it, is no character.
const jsonOf = (value: unknown): string => JSON.stringify(value, (_, part) => (typeof part === 'string' ? part.replace(/\p{Surrogate}/gu, '\uFFFD') : part))

export const partyOf = (agent: string | undefined): string => agent ?? 'main'

// Nothing is known of a party before its first answer: then everything is asked.
export const watchOf = (agent: string | undefined): Watch =>
  watches.get(partyOf(agent)) ?? { before: agent !== undefined, after: true, measure: false, figures: agent === undefined, appends: false }

// The session that was last told of, where a call names a transcript's file.
export const transcriptIn = (call: Record<string, unknown>): string | undefined =>
  Object.values(call).some(value => typeof value === 'string' && value.includes('.jsonl')) ? told : undefined

// A hook that failed is told with the next event.
export const hasFailed = (hook: string): void => void failed.add(hook)

export async function programOf($: EngineInterface, options: Readonly<Record<string, unknown>>): Promise<typeof found> {
  if (found !== undefined || tries >= TRIES) return found
  // Events that come together look once.
  finding ??= find($, options).finally(() => (finding = undefined))
  return finding
}

async function find($: EngineInterface, options: Readonly<Record<string, unknown>>): Promise<typeof found> {
  tries += 1
  const env = await $.process.hookEnv()
  for (const [name, value] of Object.entries(options)) {
    if (typeof value === 'string' && value !== '') env[`CLAUDE_PLUGIN_OPTION_${name.toUpperCase()}`] = value
  }
  const { platform } = await $.session.info()
  const launcher = `${$.plugin.root}/launcher/reveille`
  const argv = platform === 'windows' ? [`${launcher}.cmd`, '--where'] : ['sh', launcher, '--where']
  const ran = await $.process.run(argv, { env, timeoutMs: FIND_MS })
  const path = ran.stdout.trim()
  if (ran.exitCode !== 0 || path === '') {
    if (tries >= TRIES) tellOnce($, `Reveille has no program: ${ran.stderr.trim() || 'the launcher found none'}`)
    return undefined
  }
  found = { path, env }
  return found
}

// One event: its answer, with what the person sees of it already shown. None: the program is missing or failed, and the event passes.
export async function ask(
  $: EngineInterface,
  options: Readonly<Record<string, unknown>>,
  event: string,
  agent: string | undefined,
  data: Record<string, unknown>,
  // Where the event names its session: the client's own may still be the one before, or already the one after.
  session?: string,
): Promise<Answer | undefined> {
  const program = await programOf($, options).catch(() => undefined)
  if (program === undefined) return undefined
  const answer = await tell($, program, event, agent, data, session)
  if (!UNBOUND.has(event)) await register($, options)
  return answer
}

async function tell(
  $: EngineInterface,
  program: NonNullable<typeof found>,
  event: string,
  agent: string | undefined,
  data: Record<string, unknown>,
  named: string | undefined,
): Promise<Answer | undefined> {
  const hooks = [...failed]
  const stdin = jsonOf({ event, agent, data, failed: hooks })
  let answer: Answer
  try {
    const session = named ?? (await $.session.id())
    told = session
    const ran = await $.process.run([program.path, 'event', session], { env: program.env, stdin, timeoutMs: EVENT_MS })
    if (ran.stdout === '') throw new Error(ran.stderr.trim() || `it ended with status ${ran.exitCode} and said nothing`)
    answer = JSON.parse(ran.stdout) as Answer
  } catch (error) {
    hasFailed(event)
    tellOnce($, `Reveille: the event ${event} failed and passed through (${error instanceof Error ? error.message : String(error)})`)
    return undefined
  }
  for (const hook of hooks) failed.delete(hook)
  if (answer.watch !== undefined) watches.set(partyOf(agent), answer.watch)
  show($, answer)
  return answer
}

function show($: EngineInterface, answer: Answer): void {
  for (const line of answer.lines ?? []) $.ui.log(line)
  for (const line of answer.toasts ?? []) $.ui.toast(line)
  for (const line of answer.faults ?? []) tellOnce($, line)
  if (answer.status !== undefined && answer.status !== status) {
    status = answer.status
    $.ui.status(status === '' ? undefined : status)
  }
}

export function tellOnce($: EngineInterface, line: string): void {
  if (shown.has(line)) return
  shown.add(line)
  $.ui.log(line)
}

// Registers tools and command. Where no session.start comes, as after a reload, the first event does it.
export async function register($: EngineInterface, options: Readonly<Record<string, unknown>>): Promise<void> {
  if (registered || registering >= TRIES) return
  registering += 1
  registered = true
  try {
    const answer = await ask($, options, 'tools', undefined, {})
    if (answer?.tools === undefined) throw new Error('the program did not list them')
    await Promise.all(answer.tools.map(tool => $.tool.register({ ...tool, isDeferred: false })))
    await $.command.register({ name: 'handoff', description: 'Shows readings, marks, and what handoff is stored', immediate: true })
  } catch (error) {
    registered = false
    if (registering < TRIES) return
    hasFailed('tools')
    tellOnce($, `Reveille: its tools are not registered, so nothing can be handed off (${error instanceof Error ? error.message : String(error)})`)
  }
}

// Runs the settings hook's door for an event of the module's own.
export async function settingsHook($: EngineInterface, options: Readonly<Record<string, unknown>>, input: object): Promise<string | undefined> {
  const program = await programOf($, options)
  if (program === undefined) return undefined
  const env = { ...program.env, REVEILLE_MODULE: '' }
  const ran = await $.process.run([program.path, 'hook'], { env, stdin: JSON.stringify(input), timeoutMs: EVENT_MS })
  if (ran.stdout.trim() === '') return undefined
  const output = JSON.parse(ran.stdout) as { hookSpecificOutput?: { additionalContext?: string } }
  return output.hookSpecificOutput?.additionalContext
}

// Answers a tool of ours that records nothing.
export async function readingTool(
  $: EngineInterface,
  options: Readonly<Record<string, unknown>>,
  name: string,
  agent: string | undefined,
  input: Record<string, unknown>,
): Promise<{ text: string; error: boolean; line?: string } | undefined> {
  const program = await programOf($, options)
  if (program === undefined) return undefined
  const session = await $.session.id()
  const cwd = await $.session.cwd()
  const { transcriptPath } = await $.session.info()
  const stdin = jsonOf({ session, agent, cwd, transcript: transcriptPath, arguments: input })
  const ran = await $.process.run([program.path, 'tool', name], { env: program.env, stdin, timeoutMs: 120_000 })
  if (ran.stdout === '') throw new Error(ran.stderr.trim() || `it ended with status ${ran.exitCode} and said nothing`)
  return JSON.parse(ran.stdout) as { text: string; error: boolean; line?: string }
}
