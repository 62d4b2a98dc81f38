import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { upgradeCluster } from '../../src/commands/cluster/upgrade-cluster.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { changesDuring, inventoryOf } from './world-facts.ts'

const at = (talos: string, unapproved = 'live') =>
  clusterFile(
    { workers: 0 },
    {
      ...bare,
      talos: { version: talos },
      kubernetes: { version: '1.33.4' },
      policy: { unapproved },
    },
  )

let bench: Bench
let digest = ''

beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file: at('v1.11.6') })
})
afterAll(() => bench[Symbol.asyncDispose]())

interface Press {
  readonly pressed: boolean
  readonly typed?: string
  readonly run?: string
  readonly attempt?: number
}

/** Runs the upgrade as a workflow does; answers with what was shown because it stopped. */
async function press(file = at('v1.12.1'), { run = 'gh-1-job', attempt = 1, ...by }: Press) {
  const context = bench.run()
  const shown: Plan[] = []
  const button = { ...by, showStopped: async (plan: Plan) => void shown.push(plan) }
  const named = { ...context, run: { ...context.run, id: run, attempt } }
  const ended = await upgradeCluster(named, { file, button }).then(
    () => undefined,
    (error: unknown) => error,
  )
  return { shown, ended }
}

async function stops(code: string, by: Press): Promise<void> {
  const changes = await changesDuring(bench.sandbox.world, async () => {
    const { ended, shown } = await press(undefined, by)
    expect(ended).toMatchObject({ code, hint: expect.stringContaining('approve: ') })
    expect(shown).toHaveLength(1)
    digest = shown[0]?.digest ?? ''
  })
  expect(changes).toEqual([])
  expect(await versions()).toEqual(['v1.11.6'])
}

const versions = async () => (await inventoryOf(bench)).nodes.map((node) => node.talosVersion)

it('an upgrade that nobody pressed stops where the policy ends, and shows what it would do', async () => {
  await stops('plan-unapproved', { pressed: false })
})

it('with a digest it carries out that plan and no other, whoever pressed it', async () => {
  await stops('plan-moved', { pressed: true, typed: 'f'.repeat(16) })
  // A later attempt continues with what its run began: nothing.
  await stops('plan-moved', { pressed: true, typed: digest.slice(0, 16), attempt: 2 })
  const { ended } = await press(undefined, { pressed: false, typed: digest.slice(0, 16) })
  expect(ended).toBeUndefined()
  expect(await versions()).toEqual(['v1.12.1'])
})

it('a re-run of what came to its end has nothing approved', async () => {
  const back = { pressed: true, typed: digest.slice(0, 16), attempt: 2 }
  const { ended, shown } = await press(at('v1.12.2'), back)
  expect(ended).toMatchObject({ code: 'plan-moved' })
  expect(shown).toHaveLength(1)
})

it('a person who presses it gets the versions of the merged file, and so does a policy that says so', async () => {
  expect((await press(at('v1.12.2'), { pressed: true })).ended).toBeUndefined()
  expect(await versions()).toEqual(['v1.12.2'])
  const lenient = at('v1.13.9', 'data-loss')
  expect((await press(lenient, { pressed: false })).ended).toBeUndefined()
  expect(await versions()).toEqual(['v1.13.9'])
})
