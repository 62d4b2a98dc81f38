import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { confirmDestroy, confirmPlan } from '../../src/cli/confirm-plan.ts'
import { createTerminal } from '../../src/cli/terminal.ts'
import { ClusterError } from '../../src/lib/cluster-error.ts'
import { Redactor } from '../../src/lib/redactor.ts'
import { makePlan } from '../../src/plan/plan.ts'
import type { ClusterRecord } from '../../src/plan/record.ts'

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
}

function sit({ input = true, output = true, error = true, environment = {} }: Setting = {}) {
  const streams = { input: new Screen(input), output: new Screen(output), error: new Screen(error) }
  const redactor = new Redactor()
  const interruption = new AbortController()
  const terminal = createTerminal({
    ...streams,
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

  it('is carried out at once where no person sits', async () => {
    const { terminal } = sit({ input: false })
    expect(await confirmPlan(terminal, { yes: false, json: false })(plan)).toBe(true)
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
    const { terminal, error } = sit(setting)
    expect(terminal.colour).toBe(colour)
    const phase = terminal.progress.phase('Servers')
    phase.fraction(0.5)
    phase.succeed()
    expect(error.text.includes('██')).toBe(live)
    expect(error.text.includes(green)).toBe(painted)
  })

  it('has no secret in it, wherever it goes', async () => {
    const { terminal, redactor, output, error, input } = sit()
    redactor.add('a-secret-of-this-run')
    terminal.print('result a-secret-of-this-run\n')
    terminal.tell('line a-secret-of-this-run')
    const phase = terminal.progress.phase('Phase a-secret-of-this-run')
    phase.step('step a-secret-of-this-run')
    phase.fail('why a-secret-of-this-run')
    const answer = terminal.ask('? ')
    input.write('x\n')
    await answer
    expect(output.text + error.text).not.toContain('a-secret-of-this-run')
  })
})
