import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dispatchEvent } from '../../scripts/runner-event.ts'
import type { StepResult } from '../../scripts/runner-job.ts'
import { readForcedEnds, reportForcedEnds, watchEnd } from '../process-end.ts'
import { closedEndpoint } from '../strange-endpoint.ts'
import { type RunnerBench, smallCluster, startRunnerBench, wholeRuns } from './runner-bench.ts'

/**
 * Every action by its folder, as after `uses:`, with what it wants beside the inputs of a job that may do everything;
 * in an order in which each has what it needs.
 */
const actions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'actions/build-image': {},
  'actions/reconcile-infra': {},
  'actions/talos-bootstrap': {},
  'actions/install-addons': {},
  reconcile: {},
  '.': { mode: 'drift' },
  'actions/upgrade': {},
  'actions/snapshot': { to: 's3://backups/demo/demo.etcd.age' },
  'actions/restore': {
    snapshot: 's3://backups/demo/demo.etcd.age',
    confirm: 'demo',
    'discard-etcd': 'true',
  },
  'actions/destroy': { confirm: 'demo' },
}

const names = Object.keys(actions)

let bench: RunnerBench
let jobs = 0
beforeAll(async () => {
  bench = await startRunnerBench()
  await bench.writeClusterFile(smallCluster)
})
afterAll(() => bench[Symbol.asyncDispose]())

interface Different {
  readonly inputs?: Readonly<Record<string, string>>
  readonly environment?: Readonly<Record<string, string>>
}

async function runJob(name: string, { inputs = {}, environment }: Different) {
  const forced = join(bench.folder, `forced-ends-${++jobs}`)
  const job = bench.job(dispatchEvent(bench.repository), name, undefined, {
    environment: { ...reportForcedEnds(forced), ...environment },
    onStart: watchEnd,
  })
  const { 'hcloud-token': token = '' } = bench.all
  const known = name === 'actions/build-image' ? { 'hcloud-token': token } : bench.all
  const step = await job.step(name, { ...known, ...actions[name], ...inputs })
  const later = await job.finish()
  return { step, later, forced: await readForcedEnds(forced) }
}

/**
 * Runs an action, and holds that its processes end by themselves: half a second after its last word one is ended whatever
 * is still open (`lib/end-process.ts`), and that is what is looked for, since it does not depend on what else a machine
 * has to do. What a busy machine has not closed in that time is given two more tries.
 */
async function run(name: string, different: Different = {}): Promise<StepResult> {
  const { step, later, ...first } = await runJob(name, different)
  let { forced } = first
  for (let again = 0; again < 2 && forced.length > 0; again++) {
    forced = (await runJob(name, different)).forced
  }
  expect([name, forced, step.signal], step.log).toEqual([name, [], null])
  // Whatever became of the step: what it leaves for later succeeds.
  expect(later.map(({ exitCode }) => exitCode)).toEqual(later.map(() => 0))
  return step
}

describe('every action', wholeRuns, () => {
  test('is in the table', () => {
    const root = resolve(import.meta.dirname, '../..')
    const folders = readdirSync(join(root, 'actions')).map((name) => `actions/${name}`)
    expect([...names].sort()).toEqual(['.', 'reconcile', ...folders].sort())
  })

  test('ends when its file is not there', async () => {
    for (const name of names) {
      const step = await run(name, { inputs: { config: 'nothing.yaml' } })
      expect(step.exitCode, step.log).toBe(1)
    }
  })

  test('ends when nobody is at the address of Hetzner', async () => {
    await using closed = await closedEndpoint()
    const environment = { HCLOUD_ENDPOINT: `http://${closed.host}/v1` }
    for (const name of names) {
      const { exitCode, log } = await run(name, { environment })
      expect(exitCode, log).toBe(1)
      expect(log).toContain('hetzner-unreachable')
    }
  })

  test('ends when it has succeeded', async () => {
    for (const name of names) {
      const { exitCode, log } = await run(name)
      expect([name, exitCode], log).toEqual([name, 0])
    }
  })
})
