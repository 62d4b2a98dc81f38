import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { confirmDestroy, confirmPlan } from '../../src/cli/confirm-plan.ts'
import { createTerminal } from '../../src/cli/terminal/terminal.ts'
import { ClusterError } from '../../src/lib/cluster-error.ts'
import { Redactor } from '../../src/lib/redactor.ts'
import { makePlan } from '../../src/plan/plan.ts'
import type { ClusterRecord } from '../../src/plan/record.ts'
import { hostileText } from '../github/hostile-text.ts'
import { actCommands, githubCommands } from '../github/read-commands.ts'

/** A stream of which a program believes that a person sits behind it. */
class Screen extends PassThrough {
  readonly isTTY: boolean
  readonly columns = 60
  text = ''

  constructor(isTTY: boolean) {
    super()
    this.isTTY = isTTY
    this.on('data', (chunk) => {
      this.text += chunk
    })
  }
}

interface Setting {
  readonly input?: boolean
  readonly output?: boolean
  readonly error?: boolean
  readonly environment?: Record<string, string>
  readonly outputIsFile?: boolean
}

function sit({
  input = true,
  output = true,
  error = true,
  environment = {},
  outputIsFile = false,
}: Setting = {}) {
  const streams = { input: new Screen(input), output: new Screen(output), error: new Screen(error) }
  const redactor = new Redactor()
  const interruption = new AbortController()
  const terminal = createTerminal({
    ...streams,
    outputIsFile,
    environment: { TERM: 'xterm', ...environment },
    redactor,
    signal: interruption.signal,
    onInterrupt: () => interruption.abort(new ClusterError('interrupted', 'interrupted')),
  })
  return { ...streams, terminal, redactor, interruption }
}

const network: ClusterRecord = { kind: 'network', name: 'demo', spec: {}, needs: [] }
const plan = makePlan({
  clusterName: 'demo',
  verb: 'apply',
  changes: [
    {
      key: 'network/demo',
      action: 'create',
      before: undefined,
      after: network,
      fields: [],
      reason: 'the cluster has no network yet',
      risk: 'additive',
      needs: [],
    },
  ],
  waiting: [],
  notes: [],
  desired: [network],
  live: [],
  findings: [],
  uid: undefined,
})
const nothing = { ...plan, changes: [] }

const green = '\u001b[32m'

describe('A plan at a terminal', () => {
  it.each([
    ['yes', true],
    ['  yes ', true],
    ['y', false],
    ['YES', false],
    ['', false],
  ])('is carried out after "%s": %s', async (typed, expected) => {
    const { terminal, input, output, error } = sit()
    const answer = confirmPlan(terminal, { yes: false, json: false })(plan)
    input.write(`${typed}\n`)
    expect(await answer).toBe(expected)
    expect(output.text).toContain('network demo')
    expect(error.text).toContain('Only "yes" does')
  })

  it('is not asked about when told so, or when there is nothing to do', async () => {
    const { terminal, error } = sit()
    expect(await confirmPlan(terminal, { yes: true, json: false })(plan)).toBe(true)
    expect(await confirmPlan(terminal, { yes: false, json: false })(nothing)).toBe(true)
    expect(error.text).toBe('')
  })

  it('is shown beside the question where standard output is for JSON', async () => {
    const { terminal, input, output, error } = sit()
    const answer = confirmPlan(terminal, { yes: false, json: true })(plan)
    input.write('yes\n')
    expect(await answer).toBe(true)
    expect(output.text).toBe('')
    expect(error.text).toContain('network demo')
  })

  it('is not carried out when nobody answers: the input ends', async () => {
    const { terminal, input } = sit()
    const answer = confirmPlan(terminal, { yes: false, json: false })(plan)
    input.end()
    expect(await answer).toBe(false)
  })

  it('is not carried out where a person sits who sees no question', async () => {
    const { terminal } = sit({ output: false, error: false })
    expect(await confirmPlan(terminal, { yes: false, json: false })(plan)).toBe(false)
  })

  it('is carried out where no person sits only when told so', async () => {
    const { terminal, input } = sit({ input: false })
    input.write('yes\n')
    expect(await confirmPlan(terminal, { yes: false, json: false })(plan)).toBe(false)
    expect(await confirmPlan(terminal, { yes: true, json: false })(plan)).toBe(true)
    const answer = terminal.ask('Whatever a command asks without having looked: ')
    input.write('yes\n')
    expect(await answer).toBe('')
  })

  it('is given up with Ctrl-C at the question', async () => {
    const { terminal, input } = sit()
    const answer = confirmPlan(terminal, { yes: false, json: false })(plan)
    input.write('\u0003')
    await expect(answer).rejects.toMatchObject({ code: 'interrupted' })
  })
})

describe('A destroy at a terminal', () => {
  const options = { confirm: undefined, json: false }

  it('wants the name typed out', async () => {
    const { terminal, input, output } = sit()
    const answer = confirmDestroy(terminal, 'demo', options)(plan)
    input.write('demo\n')
    expect(await answer).toBe(true)
    expect(output.text).toContain('network demo')
  })

  it('takes another name for a mistake', async () => {
    const { terminal, input } = sit()
    const answer = confirmDestroy(terminal, 'demo', options)(plan)
    input.write('yes\n')
    await expect(answer).rejects.toMatchObject({ code: 'not-confirmed' })
  })

  it('does nothing where nobody can be asked', async () => {
    const { terminal } = sit({ input: false })
    expect(await confirmDestroy(terminal, 'demo', options)(plan)).toBe(false)
  })
})

describe('What is shown', () => {
  it.each([
    { setting: {}, colour: true, live: true, painted: true },
    { setting: { environment: { NO_COLOR: '1' } }, colour: false, live: true, painted: false },
    { setting: { environment: { TERM: 'dumb' } }, colour: false, live: false, painted: false },
    { setting: { environment: { CI: 'true' } }, colour: true, live: false, painted: false },
    { setting: { output: false }, colour: false, live: true, painted: true },
    { setting: { error: false }, colour: true, live: false, painted: false },
  ])('follows the terminal and its wishes: $setting', ({ setting, colour, live, painted }) => {
    const { terminal, output, error } = sit(setting)
    terminal.print(terminal.paint(32, 'x'))
    expect(output.text).toBe(colour ? '\u001b[32mx\u001b[0m' : 'x')
    const phase = terminal.progress.phase('Servers')
    phase.fraction(0.5)
    phase.succeed()
    expect(error.text.includes('██')).toBe(live)
    expect(error.text.includes(green)).toBe(painted)
  })

  it('is never obeyed, whichever way a text from outside takes', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        for (const CI of ['', 'true']) {
          const { terminal, output, error } = sit({ environment: { CI, NO_COLOR: '1' } })
          terminal.print(`${text}\n`)
          terminal.print(`${terminal.paint(32, text)}\n`)
          terminal.report(text)
          const phase = terminal.progress.phase(text)
          phase.step(text)
          phase.skip(text)
          terminal.progress.info(text)
          terminal.progress.warn(text)
          // What draws progress is ours, and nothing else may be in it.
          const drawn = error.text.replaceAll('\u001b[1A', '').replaceAll('\r\u001b[J', '')
          expect(output.text + drawn).not.toMatch(/(?![\n\t])[\p{C}\p{Zl}\p{Zp}]/u)
        }
      }),
    )
  })

  it('is no command either where a step of a workflow runs it, and JSON says the same', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const environment = { GITHUB_ACTIONS: 'true', CI: 'true' }
        const { terminal, output, error } = sit({ output: false, error: false, environment })
        const json = JSON.stringify({ text: text.toWellFormed() }, null, 2)
        terminal.print(json)
        expect(JSON.parse(output.text)).toEqual({ text: text.toWellFormed() })
        terminal.print(`\n${text}\n`)
        terminal.report(text)
        terminal.progress.phase(text).fail(text)
        for (const written of [output.text, error.text]) {
          expect(githubCommands(written)).toEqual([])
          expect(actCommands(written)).toEqual([])
        }
      }),
      { numRuns: 500 },
    )
  })

  it('is byte by byte what a file holds, unless it is shown on a screen', () => {
    const bytes = Buffer.from([0, 27, 91, 50, 74, 13, 10, 255, 254, 97])
    const piped = sit({ output: false })
    const chunks: Buffer[] = []
    piped.output.on('data', (chunk) => chunks.push(chunk))
    piped.terminal.printBytes(bytes)
    expect(Buffer.concat(chunks)).toEqual(bytes)
    piped.redactor.add('pässwörd-1234')
    piped.terminal.printBytes(Buffer.from('key pässwörd-1234\n'))
    expect(Buffer.concat(chunks.slice(1)).toString()).toBe('key ***\n')
    const shown = sit()
    shown.terminal.printBytes(bytes)
    expect(shown.output.text).toMatch(/^\\u0000\\u001b\[2J\n/)
  })

  it('is no command to a runner either, be it a file of a node, unless it goes into a file', () => {
    const environment = { GITHUB_ACTIONS: 'true', CI: 'true' }
    const bytes = Buffer.from('log\n::stop-commands::x\n##[add-mask]y\n')
    const { terminal, output } = sit({ output: false, environment })
    terminal.printBytes(bytes)
    expect(output.text).toMatch(/^log\n/)
    expect([...githubCommands(output.text), ...actCommands(output.text)]).toEqual([])
    const filed = sit({ output: false, environment, outputIsFile: true })
    filed.terminal.printBytes(bytes)
    expect(filed.output.text).toBe(bytes.toString())
  })

  it('has no secret in it, wherever it goes', async () => {
    const { terminal, redactor, output, error, input } = sit()
    redactor.add('a-secret-of-this-run')
    terminal.print('result a-secret-of-this-run\n')
    terminal.report('line a-secret-of-this-run')
    const phase = terminal.progress.phase('Phase a-secret-of-this-run')
    phase.step('step a-secret-of-this-run')
    phase.fail('why a-secret-of-this-run')
    const answer = terminal.ask('? ')
    input.write('x\n')
    await answer
    // Where the window ends in the middle of it, too.
    terminal.progress.phase('y'.repeat(30)).step('a-secret-of-this-run')
    expect(output.text + error.text).not.toContain('a-secret')
  })
})
