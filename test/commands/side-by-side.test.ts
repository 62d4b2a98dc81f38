import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { snapshotCluster } from '../../src/commands/backup/snapshot-cluster.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { closeRun } from '../../src/commands/cluster/close-run.ts'
import type { HeldByRun } from '../../src/run/held-by-run.ts'
import { openStateStore } from '../../src/run/open-state-store.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import { loadSpec } from '../../src/spec/load-spec.ts'
import { parseLock } from '../../src/store/lock/lock-record.ts'
import { stillClock } from '../store/state-fixture.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { git, refs } from './world-facts.ts'

const file = clusterFile({ workers: 0 }, bare)

let bench: Bench

beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file })
  return () => bench[Symbol.asyncDispose]()
})

/** A step of one job, in a process of its own, with what it notes for the step that cleans up. */
function step(process: string): { context: RunContext; held: () => HeldByRun } {
  const context = bench.run()
  let held: HeldByRun = { clusterName: 'none' }
  const onHold = (more: HeldByRun) => {
    held = { ...held, ...more }
  }
  const run = { ...context.run, id: 'gh-7-70-apply', process, isRunOver: async () => false }
  return { context: { ...context, run, onHold }, held: () => held }
}

const openings = () =>
  [...bench.sandbox.world.hetzner.firewalls.values()]
    .map(({ name }) => name)
    .filter((name) => name.includes('-access-'))
const isLocked = async () => Object.keys(await refs(bench)).includes('hcloud-talos-lock/demo')

async function storeOf(context: RunContext) {
  const { spec } = loadSpec(file.text, { fileName: file.path })
  if (!spec) throw new Error('the file is no spec')
  // A holder that is at work, or dead: not one whose heartbeat moves the lock at the moment that is looked at.
  return openStateStore({ ...context, clock: stillClock }, spec)
}

test('what cleans up after one step of a job leaves the lock of another step alone', async () => {
  const [first, second] = [step('first'), step('second')]
  await applyCluster(first.context, { file })
  await applyCluster(second.context, { file })
  await using store = await storeOf(first.context)
  await store.lock({ waitMs: 0 })

  await closeRun(second.context, second.held())
  expect(await isLocked()).toBe(true)
  await closeRun(first.context, first.held())
  expect(await isLocked()).toBe(false)
})

test('what cleans up after a step holds its lock in its own name, not in that of a process which has ended', async () => {
  const killed = step('killed')
  await applyCluster(killed.context, { file })
  await using store = await storeOf(killed.context)
  await store.lock({ waitMs: 0 })

  const holders: (string | undefined)[] = []
  const { world } = bench.sandbox
  world.onRequest(async ({ front, path }) => {
    if (front !== 'hetzner' || !path.startsWith('/firewalls') || !(await isLocked())) return
    const record = parseLock(
      Buffer.from(await git(bench, 'show', 'hcloud-talos-lock/demo:lock.json')),
    )
    holders.push(record?.owner.process)
  })
  const post = step('post').context
  await closeRun(post, { ...killed.held(), uid: undefined })
  expect(holders).not.toEqual([])
  expect(new Set(holders)).toEqual(new Set(['post']))
  expect(await isLocked()).toBe(false)
})

test('two steps of a job use one opening in the firewall, and neither closes it while the job goes on', async () => {
  const [first, second] = [step('first'), step('second')]
  const { folder } = first.context.state
  await applyCluster(first.context, { file, keepRule: true })
  expect(openings()).toHaveLength(1)
  const to = join(folder, 'etcd.age')
  await snapshotCluster(second.context, { file, to, keepRule: true })
  expect(openings()).toHaveLength(1)

  const { context } = step('third')
  const endpoints = { ...context.endpoints, ipLookup: 'http://127.0.0.1:1' }
  const broken = snapshotCluster({ ...context, endpoints }, { file, to, keepRule: true })
  await expect(broken).rejects.toMatchObject({ code: 'address-unknown' })
  expect(openings()).toHaveLength(1)

  await closeRun(second.context, second.held())
  expect(openings()).toEqual([])
})
