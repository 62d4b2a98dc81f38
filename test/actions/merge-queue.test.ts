import { afterAll, beforeAll, expect, it } from 'vitest'
import { bare, clusterFile } from '../commands/cluster-files.ts'
import { changesDuring } from '../commands/world-facts.ts'
import { type Ended, startMergeBench } from './merge-bench.ts'

type Bench = Awaited<ReturnType<typeof startMergeBench>>

let repo: Bench

beforeAll(async () => {
  repo = await startMergeBench()
  const text = fileOf(1, 0)
  expect((await repo.push(await repo.commit(text), text)).code).toBe('')
})
afterAll(() => repo[Symbol.asyncDispose]())

/** Two pools, so that two pull requests can differ in lines of their own; nothing is done that nobody approved. */
function fileOf(a: number, b: number, policy: Record<string, string> = {}): string {
  const workers = [
    { name: 'a', count: a, type: 'cx33' },
    { name: 'b', count: b, type: 'cx33' },
  ]
  return clusterFile({ workers }, { ...bare, policy }).text
}

const none = { unapproved: 'none' }
const [first, second, both] = [fileOf(2, 0, none), fileOf(1, 1, none), fileOf(2, 1, none)]

/** How the check of a group ends; whatever it says, nothing is changed. */
async function check(work: () => Promise<{ plan: Ended }>): Promise<Ended> {
  let plan: Ended | undefined
  const changes = await changesDuring(repo.bench.sandbox.world, async () => {
    plan = (await work()).plan
  })
  expect(changes).toEqual([])
  if (!plan) throw new Error('nothing was planned')
  return plan
}

it('a group whose plan its pull request showed may be merged', async () => {
  const { pull } = await repo.propose(first)
  const ended = await check(() => repo.queue(pull.number, first))
  expect(ended.code, ended.message).toBe('')
  expect(ended.log).toContain(`approved with #${pull.number}`)
})

it('a group counts those that are ahead of it in the queue, and nobody else', async () => {
  const [one, two] = [await repo.propose(first), await repo.propose(second)]
  const ahead = await repo.queue(one.pull.number, first)
  const stacked = await check(() => repo.queue(two.pull.number, both, ahead.sha))
  expect(stacked.code, stacked.message).toBe('')
  const alone = await check(() => repo.queue(two.pull.number, both))
  expect(alone.code).toBe('plan-moved')
  expect(alone.message).toContain('demo-a-2')
})

it('a group does not pass when the state of the cluster changed since its plan was shown', async () => {
  const { pull } = await repo.propose(first)
  const firewall = [...repo.bench.sandbox.world.hetzner.firewalls.values()][0]
  const range = { sourceIps: ['0.0.0.0/0'], destinationIps: [], description: null }
  firewall?.rules.push({ direction: 'in', protocol: 'tcp', port: '22', ...range })
  const ended = await check(() => repo.queue(pull.number, first))
  expect(ended.code).toBe('plan-moved')
  expect(ended.message).toContain('not approved: update firewall/demo')
  expect(ended.hint).toContain('out of the queue')
  expect(ended.summary).toContain('firewall demo')
  firewall?.rules.pop()
})

it('a plan that was rewritten after its pull request was queued approves nothing', async () => {
  const { pull } = await repo.propose(first)
  await repo.queue(pull.number, first)
  const comment = repo.github.comments.find(({ issue }) => issue === pull.number)
  if (!comment) throw new Error('nothing was shown')
  const { body, author } = comment
  // The job that plans, run again meanwhile, leaves it alone.
  const again = await repo.replan(pull, first)
  expect(again.code, again.message).toBe('')
  expect(again.log).toContain('it is in the merge queue')
  expect(comment.lastEditedAt).toBeUndefined()

  repo.github.editComment(comment, body, author)
  const ended = await check(() => repo.queue(pull.number, first))
  expect(ended.code).toBe('plan-unapproved')
  expect(ended.message).toContain('its plan was written after it was queued')
})

it('a pull request of which nobody tells since when it is queued approves nothing', async () => {
  const { pull } = await repo.propose(first)
  repo.github.hidesQueue = true
  const ended = await check(() => repo.queue(pull.number, first))
  repo.github.hidesQueue = false
  expect(ended.code).toBe('plan-unapproved')
  expect(ended.message).toContain('GitHub does not report since when it is queued')
})

it('a group whose pull request shows no plan does not pass beyond the policy', async () => {
  repo.github.openPull(77, 'c'.repeat(40))
  const ended = await check(() => repo.queue(77, first))
  expect(ended.code).toBe('plan-unapproved')
  expect(ended.message).toContain('#77: it has no plan of demo')
  const live = await check(() => repo.queue(77, fileOf(2, 0)))
  expect(live.code, live.message).toBe('')
})

it('what was merged and is not applied yet counts as it was shown', async () => {
  const [one, two] = [await repo.propose(first), await repo.propose(second)]
  repo.github.mergePull(one.pull, await repo.commit(first))
  const ended = await check(() => repo.queue(two.pull.number, both))
  expect(ended.code, ended.message).toBe('')
})

it('a queue of another branch gets a plan, and no verdict', async () => {
  const ended = await check(() => repo.queue(77, fileOf(3, 3, none), undefined, 'release'))
  expect(ended.code, ended.message).toBe('')
  expect(repo.bench.sandbox.world.contractErrors).toEqual([])
})
