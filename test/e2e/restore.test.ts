import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dispatchEvent, pushEvent, scheduleEvent } from '../../scripts/runner-event.ts'
import { errorCodes } from '../../src/lib/error-codes.ts'
import { loseEtcd } from '../commands/lost-etcd.ts'
import { findLeaks } from './canaries.ts'
import { readyNodes, stateRefs, temporaryRules } from './outside-view.ts'
import { type RunnerBench, smallCluster, startRunnerBench, wholeRuns } from './runner-bench.ts'

let bench: RunnerBench

beforeAll(async () => {
  bench = await startRunnerBench()
  await bench.writeClusterFile(smallCluster)
  const job = bench.job(pushEvent(bench.repository))
  expect((await job.step('.', bench.all)).exitCode).toBe(0)
  await job.finish()
})

afterAll(() => bench[Symbol.asyncDispose]())

/** Each test continues with the cluster of the one before. */
describe('a cluster whose etcd is lost, in a repository', wholeRuns, () => {
  let place = ''

  test('a schedule keeps a snapshot, which holds no lock and leaves no rule open', async () => {
    const job = bench.job(scheduleEvent(bench.repository), 'snapshot')
    const step = await job.step('actions/snapshot', { ...bench.all, to: 's3://backups/demo/' })
    expect(step.exitCode, step.log).toBe(0)
    expect((await job.finish()).map(({ exitCode }) => exitCode)).toEqual([0])
    place = step.outputs['place'] ?? ''
    const stored = [...(bench.sandbox.world.storage.buckets.get('backups') ?? [])]
    expect(stored.map(([key, { length }]) => [`s3://backups/${key}`, String(length)])).toEqual([
      [place, step.outputs['size']],
    ])
    expect(step.summary).toContain(place)
    expect(temporaryRules(bench)).toEqual([])
    expect(await stateRefs(bench)).toEqual(['refs/heads/hcloud-talos'])
  })

  test('a branch may not take one for recipients of its own', async () => {
    const job = bench.job(dispatchEvent(bench.repository, 'mine'), 'snapshot')
    const step = await job.step('actions/snapshot', { ...bench.all, to: 's3://backups/mine/' })
    expect(step.exitCode).toBe(1)
    expect(step.log).toContain('usage')
  })

  test('a restore wants the name, and an etcd that is lost', async () => {
    const inputs = { ...bench.all, snapshot: place }
    for (const [confirm, code] of [
      ['dema', 'not-confirmed'],
      ['demo', 'etcd-alive'],
    ] as const) {
      const job = bench.job(dispatchEvent(bench.repository), `refused-${code}`)
      const step = await job.step('actions/restore', { ...inputs, confirm })
      expect(step.exitCode).toBe(1)
      expect(step.log).toContain(code)
      expect(errorCodes[code]).toBeGreaterThan(0)
      await job.finish()
    }
    expect(temporaryRules(bench)).toEqual([])
  })

  test('it brings the cluster back, with a kubeconfig for the next steps', async () => {
    await loseEtcd(bench.sandbox.world)
    const job = bench.job(dispatchEvent(bench.repository), 'restore')
    const inputs = { ...bench.all, snapshot: place, confirm: 'demo' }
    const step = await job.step('actions/restore', inputs)
    expect(step.exitCode, step.log).toBe(0)
    expect(step.outputs).toMatchObject({ left: '0' })
    expect(step.summary).toContain('restore etcd from the snapshot')
    expect(await readyNodes(step.outputs['kubeconfig'] ?? '')).toEqual([
      'demo-control-plane-1',
      'demo-workers-1',
    ])
    await job.finish()
    expect(temporaryRules(bench)).toEqual([])
    expect(await stateRefs(bench)).toEqual(['refs/heads/hcloud-talos'])
  })

  test('nothing of it is seen by anybody', async () => {
    expect(await findLeaks(bench)).toEqual([])
    expect(bench.sandbox.world.contractErrors).toEqual([])
  })
})
