import { afterAll, beforeAll, expect, it } from 'vitest'
import { bare, clusterFile } from '../commands/cluster-files.ts'
import { cutOff } from '../commands/cut-off.ts'
import { runningConfig } from '../commands/node-hands.ts'
import { changesDuring } from '../commands/world-facts.ts'
import { type Ended, startMergeBench } from './merge-bench.ts'

type Bench = Awaited<ReturnType<typeof startMergeBench>>

// One cluster, taken through the merges of its repository; each test continues where the one before ended.
let repo: Bench
let sha = ''
let text = ''

beforeAll(async () => {
  repo = await startMergeBench()
})
afterAll(() => repo[Symbol.asyncDispose]())

/** Two pools, so that two pull requests can differ in lines of their own. */
function fileOf(a: number, b: number, type = 'cx33', policy: Record<string, string> = {}): string {
  const workers = [
    { name: 'a', count: a, type },
    { name: 'b', count: b, type: 'cx33' },
  ]
  return clusterFile({ workers }, { ...bare, policy }).text
}

const servers = () =>
  [...repo.bench.sandbox.world.hetzner.servers.values()]
    .map(({ name, type }) => `${name} ${type}`)
    .filter((name) => !name.includes('control-plane'))
    .sort()

const firewall = () => {
  const all = [...repo.bench.sandbox.world.hetzner.firewalls.values()]
  const found = all.find(({ labels }) => labels['component'] !== 'access')
  if (!found) throw new Error('the cluster has no firewall')
  return found
}

/** What somebody does in the console: anybody may connect to port 22. */
function openPort(): void {
  const range = { sourceIps: ['0.0.0.0/0'], destinationIps: [], description: null }
  firewall().rules.push({ direction: 'in', protocol: 'tcp', port: '22', ...range })
}

function closePort(): void {
  const { rules } = firewall()
  rules.splice(
    rules.findIndex(({ port }) => port === '22'),
    1,
  )
}

const none = { unapproved: 'none' }

/** The step stops, with this, and nothing was changed. */
async function expectStopped(code: string, work: () => Promise<Ended>): Promise<Ended> {
  let ended: Ended | undefined
  const changes = await changesDuring(repo.bench.sandbox.world, async () => {
    ended = await work()
  })
  expect(ended?.code, ended?.message).toBe(code)
  expect(changes).toEqual([])
  if (!ended) throw new Error('nothing was run')
  return ended
}

it('a new cluster that is pushed at once is made: all of it is additive', async () => {
  text = fileOf(1, 0)
  sha = await repo.commit(text)
  expect((await repo.push(sha, text)).code).toBe('')
  expect(servers()).toEqual(['demo-a-1 cx33'])
})

it('a merge carries out the plan that its pull request showed, squashed or not', async () => {
  text = fileOf(1, 1)
  const { pull } = await repo.propose(text)
  sha = await repo.commit(text)
  repo.github.mergePull(pull, sha)
  expect((await repo.push(sha, text)).code).toBe('')
  expect(servers()).toEqual(['demo-a-1 cx33', 'demo-b-1 cx33'])
})

it('what somebody changed before the merge is not put back by it: the plan had not said so', async () => {
  text = fileOf(1, 2, 'cx33', none)
  const { pull } = await repo.propose(text)
  openPort()
  sha = await repo.commit(text)
  repo.github.mergePull(pull, sha)
  const stopped = await expectStopped('plan-moved', () => repo.push(sha, text))
  expect(stopped.message).toContain('not approved: update firewall/demo')
  expect(stopped.hint).toContain('pull request')
  expect(stopped.hint).toContain('approve: ')
  expect(stopped.summary).toContain('firewall demo')
  expect(servers()).toEqual(['demo-a-1 cx33', 'demo-b-1 cx33'])
})

it('it is approved by another merge that shows it, and the file need not change', async () => {
  const { pull, plan } = await repo.propose(text)
  expect(plan.summary).toContain('firewall demo')
  sha = await repo.commit(text)
  repo.github.mergePull(pull, sha)
  repo.github.lateLookups = 2
  expect((await repo.push(sha, text)).code).toBe('')
  expect(servers()).toEqual(['demo-a-1 cx33', 'demo-b-1 cx33', 'demo-b-2 cx33'])
  expect(firewall().rules.filter(({ port }) => port === '22')).toEqual([])
})

it('an approval that was carried out is none any more: a re-run of its push repeats nothing', async () => {
  openPort()
  const stopped = await expectStopped('plan-unapproved', () => repo.push(sha, text, { attempt: 2 }))
  expect(stopped.message).toContain('was carried out')
  closePort()
})

it('a push without a pull request carries out what is live, and stops before what is more', async () => {
  text = fileOf(1, 3)
  sha = await repo.commit(text)
  expect((await repo.push(sha, text)).code).toBe('')
  expect(servers()).toContain('demo-b-3 cx33')
  text = fileOf(1, 3, 'cx23')
  sha = await repo.commit(text)
  const stopped = await expectStopped('plan-unapproved', () => repo.push(sha, text))
  expect(stopped.message).toContain('risk replace')
  const approve = /approve: ([0-9a-f]{16})/.exec(stopped.hint)?.[1] ?? ''
  expect(stopped.summary).toContain(approve)

  // Somebody else's digest, or a mistyped one, approves nothing.
  const wrong = { inputs: { approve: 'f'.repeat(16) } }
  await expectStopped('plan-moved', () => repo.dispatch(sha, text, wrong))
  await expectStopped('usage', () => repo.dispatch(sha, text, { inputs: { approve: 'yes' } }))
  const done = await repo.dispatch(sha, text, { inputs: { approve }, run: 900 })
  expect(done.code).toBe('')
  expect(servers()).toContain('demo-a-1 cx23')

  openPort()
  await expectStopped('plan-moved', () =>
    repo.dispatch(sha, text, { inputs: { approve }, run: 900, attempt: 2 }),
  )
  closePort()
})

it('two pull requests that a queue merges at once are approved together, and nothing besides', async () => {
  const [a, b] = [fileOf(2, 3, 'cx23', none), fileOf(1, 4, 'cx23', none)]
  const [one, two] = [await repo.propose(a), await repo.propose(b)]
  repo.github.mergePull(one.pull, await repo.commit(a))
  text = fileOf(2, 4, 'cx23', none)
  sha = await repo.commit(text)
  repo.github.mergePull(two.pull, sha)
  openPort()
  const stopped = await expectStopped('plan-moved', () => repo.push(sha, text))
  expect(stopped.message).toMatch(/not approved: update firewall\/demo$/)
  closePort()
  expect((await repo.push(sha, text, { attempt: 2 })).code).toBe('')
  expect(servers().map((name) => name.split(' ')[0])).toEqual(
    ['a-1', 'a-2', 'b-1', 'b-2', 'b-3', 'b-4'].map((name) => `demo-${name}`),
  )
})

it('policy.unapproved decides how far a push goes alone', async () => {
  text = fileOf(2, 3, 'cx23', none)
  sha = await repo.commit(text)
  await expectStopped('plan-unapproved', () => repo.push(sha, text))
  text = fileOf(2, 3, 'cx23', { unapproved: 'data-loss' })
  sha = await repo.commit(text)
  expect((await repo.push(sha, text)).code).toBe('')
  expect(servers()).toHaveLength(5)
})

it('an apply that was cut off is gone on with by a re-run, under the same approval', async () => {
  text = fileOf(3, 3, 'cx23')
  const { pull } = await repo.propose(text)
  sha = await repo.commit(text)
  repo.github.mergePull(pull, sha)
  const finished = await cutOff(repo.bench, { after: 45 }, (context) =>
    repo.push(sha, text, { run: 950, context }),
  )
  expect(finished).toBe(false)
  const again = await repo.push(sha, text, { run: 950, attempt: 2 })
  expect(again.code).toBe('')
  // Not by the policy: the approval of the merge was found.
  expect(again.log).toContain('approved with #')
  expect(servers()).toHaveLength(6)
  expect(repo.bench.sandbox.world.contractErrors).toEqual([])
})

/** A run whose environment gives this value. */
function given(value: string) {
  const context = repo.bench.run()
  const environment = { ...context.state.environment, HCLOUD_TALOS_SECRET_TOKEN: value }
  return { ...context, state: { ...context.state, environment } }
}

const patches = [{ machine: { sysctls: { 'kernel.domainname': `\${secret:token}` } } }]
const referring = (unapproved: string) =>
  clusterFile({}, { ...bare, policy: { unapproved }, talos: { version: 'v1.13.9', patches } }).text

async function merge(pushed: string, value: string): Promise<Ended> {
  text = pushed
  const { pull } = await repo.propose(text)
  sha = await repo.commit(text)
  repo.github.mergePull(pull, sha)
  return await repo.push(sha, text, { context: given(value) })
}

const runs = (value: string) => runningConfig(repo.bench, 'demo-control-plane-1').includes(value)

it('a secret that only the environment renews stops no merge: what is kept stays until a run by hand is approved', async () => {
  expect((await merge(referring('none'), 'canary-one')).code).toBe('')
  expect(runs('canary-one')).toBe(true)
  const left = await merge(`${referring('none')}\n# something else\n`, 'canary-two')
  expect([left.code, left.message]).toEqual(['', ''])
  expect(left.log).toContain('the environment gives token another value than the state keeps')
  expect(runs('canary-one')).toBe(true)
  const stopped = await expectStopped('plan-unapproved', () =>
    repo.dispatch(sha, text, { context: given('canary-two') }),
  )
  expect(stopped.hint).not.toContain('Open a pull request')
  const approve = /approve: ([0-9a-f]{16})/.exec(stopped.hint)?.[1] ?? ''
  const context = given('canary-two')
  expect((await repo.dispatch(sha, text, { inputs: { approve }, context })).code).toBe('')
  expect(runs('canary-two')).toBe(true)
})

it('where policy.unapproved lets it pass, it is carried out with what was merged', async () => {
  const { code, log } = await merge(`${referring('live')}\n# again\n`, 'canary-three')
  expect(code).toBe('')
  expect(log).toContain('approved with #')
  expect(runs('canary-three')).toBe(true)
})
