// The module's wiring, with the program played beneath it: every event becomes one question, and its answer the engine's values.
import { describe, expect, test } from 'claude-code/testing'
import type { On } from 'claude-code'

type Asked = { event: string; agent?: string; data: Record<string, unknown>; failed: readonly string[] }
type Answers = Readonly<Record<string, object | (() => object)>>

const TOOLS = { tools: [{ name: 'forward_compaction', description: 'Hands off.', inputSchema: { type: 'object' } }] }
const QUIET = { before: false, after: false, measure: false, figures: false, appends: false }

// Plays program and session beneath the plugin: what was asked, and what was shown.
function play(on: On, answers: Answers = {}) {
  const asked: Asked[] = []
  const shown: string[] = []
  const runs: string[][] = []
  const kept = new Map<string, string | undefined>()
  const listed: string[] = []
  on('process.hookEnv', () => ({ value: { CLAUDE_PLUGIN_DATA: '/data' } }))
  on('process.run', (_, e) => {
    runs.push([...e.argv])
    const out = (stdout: string, exitCode = 0) => ({ value: { exitCode, stdout, stderr: '', isStdoutTruncated: false, isStderrTruncated: false } })
    if (e.argv.includes('--where')) return out('/bin/reveille\n')
    if (e.argv[1] !== 'event') return out('{"text":"found it","error":false}')
    const told = JSON.parse(e.init?.stdin ?? '{}') as Asked
    asked.push(told)
    const answer = told.event === 'tools' ? TOOLS : (answers[told.event] ?? { watch: QUIET })
    return out(typeof answer === 'function' ? JSON.stringify(answer()) : JSON.stringify(answer))
  })
  on('session.id', () => ({ value: 's1' }))
  on('session.cwd', () => ({ value: '/p' }))
  on('session.info', () => ({ value: { transcriptPath: '/t.jsonl', platform: 'linux' } }))
  on('session.surfaces', () => ({ value: [] }))
  on('session.messages', () => ({ value: [] }))
  on('session.usage', () => ({ value: { startedAt: 0, context: { window: 200000 }, rateLimits: [] } }))
  on('agent.list', () => ({ value: [] }))
  on('env.set', (_, e) => (kept.set(e.name, e.value), { value: {} }))
  on('ui.log', (_, e) => (shown.push(e.text), { value: undefined }))
  on('ui.toast', (_, e) => (shown.push(e.text), { value: undefined }))
  on('ui.status', (_, e) => (shown.push(`status: ${e.text}`), { value: undefined }))
  on('tool.register', (_, e) => (listed.push(e.name), { value: { tool: `mcp__reveille__${e.name}` } }))
  on('command.register', (_, e) => (listed.push(`/${e.name}`), { value: { command: e.name } }))
  return { asked, shown, runs, kept, listed }
}

const events = (asked: readonly Asked[]) => asked.map(told => told.event)

describe('the session', () => {
  test('its start registers the tools and the command, and tells the program', async ($, on) => {
    const { asked, listed } = play(on)
    on('session.start', (_, e) => ({ cwd: e.cwd }))
    await $.session.start({ cwd: '/p', surface: 'terminal', isInteractive: true })
    expect(listed).toEqual(['forward_compaction', '/handoff'])
    expect(events(asked)).toEqual(['tools', 'start'])
    expect(asked[1]?.data).toEqual({ isInteractive: true, cwd: '/p', canCompact: false })
  })

  test('a program that is missing is told once, and every event passes', async ($, on) => {
    const shown: string[] = []
    on('process.hookEnv', () => ({ value: {} }))
    on('process.run', () => ({ value: { exitCode: 1, stdout: '', stderr: 'none here', isStdoutTruncated: false, isStderrTruncated: false } }))
    on('session.info', () => ({ value: { transcriptPath: '/t.jsonl', platform: 'linux' } }))
    on('session.id', () => ({ value: 's1' }))
    on('ui.log', (_, e) => (shown.push(e.text), { value: undefined }))
    on('tool.call', () => ({ result: 'ran' }))
    for (let at = 0; at < 5; at += 1) {
      expect((await $.tool.call({ tool: 'Bash', command: 'true' })).result).toBe('ran')
    }
    expect(shown.filter(line => line.includes('no program')).length).toBe(1)
  })

  test('the settings hook is told that the module runs, and the wake is added once', async ($, on) => {
    const { kept, runs } = play(on)
    on('classic.SessionStart', () => ({ additionalContext: ['from another'] }))
    await $.classic.SessionStart({ source: 'startup' })
    expect([...kept.keys()]).toEqual(['REVEILLE_MODULE'])
    expect(runs.filter(argv => argv[1] === 'hook').length).toBe(1)
  })
})

describe('tool calls', () => {
  test('a call is asked about beforehand only where the program said so', async ($, on) => {
    const { asked } = play(on, { 'turn.start': { watch: { ...QUIET, before: true } }, 'call.start': { deny: 'Hand off first.', watch: QUIET } })
    on('turn.start', (_, e) => ({ turnId: e.turnId }))
    on('tool.call', () => ({ result: 'ran' }))
    await $.turn.start({ text: 'x', turnId: 't1' })
    const denied = await $.tool.call({ tool: 'Bash', command: 'true' })
    expect(denied.deny ?? denied.text).toContain('Hand off first.')
    const ran = await $.tool.call({ tool: 'Bash', command: 'true' })
    expect(ran.result).toBe('ran')
    expect(events(asked).filter(event => event.startsWith('call')).length).toBe(1)
  })

  test('a call that changes what is known is told with its input, and a nudge rides on its result', async ($, on) => {
    const { asked } = play(on, { 'call.end': { context: 'Hand off soon.', watch: QUIET } })
    on('tool.call', () => ({ result: 'read' }))
    const ran = await $.tool.call({ tool: 'Read', file_path: '/p/a.rs' })
    expect(ran.context).toEqual(['Hand off soon.'])
    const told = asked.find(told => told.event === 'call.end')
    expect(told?.data['input']).toEqual({ file_path: '/p/a.rs' })
    expect(told?.data['failed']).toBe(false)
  })

  test('the handoff tool is answered by the program, and a refusal is an error', async ($, on) => {
    const answers = { 'call.start': { result: { text: 'Stored.', error: false }, watch: QUIET } as object }
    const { asked } = play(on, answers)
    const stored = await $.tool.call({ tool: 'mcp__reveille__forward_compaction', objective: 'o' })
    expect(stored.result).toBe('Stored.')
    const told = asked.find(told => told.event === 'call.start')
    expect(told?.data['input']).toEqual({ objective: 'o' })
    expect(told?.data['module']).toBe(true)
    answers['call.start'] = { result: { text: 'Refused.', error: true } }
    const refused = await $.tool.call({ tool: 'mcp__reveille__forward_compaction', objective: ' ' })
    expect(refused.deny ?? refused.text).toContain('Refused.')
  })

  test('half of a surrogate pair reaches the program as a character', async ($, on) => {
    const { asked } = play(on)
    on('tool.call', () => ({ result: 'read' }))
    await $.tool.call({ tool: 'Read', file_path: '/cut \ud83d here \ud83d\ude00' })
    expect(asked.find(told => told.event === 'call.end')?.data['input']).toEqual({ file_path: '/cut \ufffd here \ud83d\ude00' })
  })

  test('looking back is answered by the program', async ($, on) => {
    const { runs } = play(on)
    const found = await $.tool.call({ tool: 'mcp__reveille__look_back', query: 'x' })
    expect(found.result).toBe('found it')
    expect(runs.some(argv => argv[1] === 'tool' && argv[2] === 'look_back')).toBe(true)
  })

  test('a program that fails lets the call run, and is told with the next event', async ($, on) => {
    let isBroken = true
    const { asked, shown } = play(on, { 'call.end': () => {
      if (!isBroken) return { watch: QUIET }
      isBroken = false
      throw new Error('broken')
    } })
    on('tool.call', () => ({ result: 'read' }))
    expect((await $.tool.call({ tool: 'Read', file_path: '/a' })).result).toBe('read')
    expect((await $.tool.call({ tool: 'Read', file_path: '/b' })).result).toBe('read')
    expect(shown.filter(line => line.includes('failed and passed through')).length).toBe(1)
    expect(asked.some(told => told.failed.includes('call.end'))).toBe(true)
  })
})

describe('a compaction', () => {
  const messages = [
    { role: 'user', text: 'old', toolUses: [], handle: 'h1' },
    { role: 'assistant', text: 'kept', toolUses: [], handle: 'h2' },
  ] as const

  test('gives kept messages back by their handles and built ones as they are', async ($, on) => {
    play(on, { compact: { messages: [{ role: 'user', text: '<reveille wake>' }, { handle: 'h2' }], tokensBefore: 70000, watch: QUIET } })
    const compacted = await $.session.compact({ trigger: 'auto', messages } as never)
    expect(compacted.messages?.map(message => message.handle ?? message.text)).toEqual(['<reveille wake>', 'h2'])
    expect('tokensBefore' in compacted ? compacted.tokensBefore : undefined).toBe(70000)
  })

  test('is held with the reason, and passed on when nothing is answered', async ($, on) => {
    const answers = { compact: { skip: 'Reveille: main waits for its handoff', watch: QUIET } as object }
    const { asked } = play(on, answers)
    on('session.compact', () => ({ messages: [{ role: 'user', text: 'summary', toolUses: [] }] }))
    expect((await $.session.compact({ trigger: 'auto', messages } as never)).skip).toBe('Reveille: main waits for its handoff')
    answers.compact = { watch: QUIET }
    expect((await $.session.compact({ trigger: 'manual', messages } as never)).messages?.[0]?.text).toBe('summary')
    expect(events(asked).at(-1)).toBe('compacted')
    expect(asked.at(-1)?.data).toEqual({ replaced: true })
  })
})

// hook: command.run
// hook: ui.render
describe('what a person sees', () => {
  for (const surface of ['terminal', 'desktop'] as const) {
    test(`a wake is one dim line on ${surface} and whole on demand`, async ($, on) => {
      play(on)
      const row = { plugin: 'reveille', surface, component: 'UserMessage' } as const
      const props = { text: '<reveille wake>\nfacts', origin: { kind: 'plugin', name: 'reveille' }, isExpanded: false } as const
      const drawn = await $.ui.mount({ ...row, props })
      expect((await drawn.find({ type: 'Text' }))?.text).toContain("Reveille's wake")
      await drawn.unmount()
    })
  }

  test('the command answers with the page', async ($, on) => {
    play(on, { status: { text: 'main\n  reading     none yet', watch: QUIET } })
    const ran = await $.command.run({ command: 'handoff', args: '' } as never)
    expect(ran.text).toContain('reading')
  })
})

// hook: classic.Stop
// hook: classic.SubagentStop
test('what runs in the background is told at every stop', async ($, on) => {
  const { asked } = play(on)
  on('classic.Stop', () => ({}))
  on('classic.SubagentStop', () => ({}))
  const running = { background_tasks: [{ id: 'b1', type: 'shell', status: 'running', description: 'dev server', command: 'npm run dev' }], session_crons: [] }
  await $.classic.Stop({ stop_hook_active: false, ...running } as never)
  await $.classic.SubagentStop({ stop_hook_active: false, ...running } as never)
  const told = asked.filter(told => told.event === 'stop')
  expect(told.length).toBe(2)
  expect(told[0]?.data).toEqual(running)
})

// hook: classic.PermissionRequest
test('its own tools run without a question, and nobody else’s', async ($, on) => {
  play(on)
  on('classic.PermissionRequest', () => ({}))
  const own = await $.classic.PermissionRequest({ tool_name: 'mcp__reveille__look_back', tool_input: {} } as never)
  expect(own.decision?.behavior).toBe('allow')
  const other = await $.classic.PermissionRequest({ tool_name: 'Bash', tool_input: {} } as never)
  expect(other.decision).toBeUndefined()
})
