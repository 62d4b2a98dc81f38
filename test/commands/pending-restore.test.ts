import { join } from 'node:path'
import { expect, it } from 'vitest'
import { mintAccess } from '../../src/commands/access/mint-access.ts'
import { restoreCluster } from '../../src/commands/backup/restore-cluster.ts'
import { snapshotCluster } from '../../src/commands/backup/snapshot-cluster.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { runDoctor } from '../../src/commands/doctor/run-doctor.ts'
import { guardPendingRestore, pendingRestore } from '../../src/planner/pending-restore.ts'
import { talosState } from '../../src/sandbox/talos/talos-state.ts'
import type { FactName, JournalEntry } from '../../src/store/files/journal.ts'
import { silentProgress } from '../silent-progress.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { startBench } from './harness.ts'
import { openApi } from './lost-etcd.ts'
import { changesDuring } from './world-facts.ts'

const file = clusterFile({ workers: 0 }, { ...bare, ...openApi })

it('a restore that died after the wipe is named by plan, apply, kubeconfig and doctor until it is done', async () => {
  await using bench = await startBench()
  const { world } = bench.sandbox
  await applyCluster(bench.run(), { file })
  const snapshot = join(bench.sandbox.endpoints.git.folder, '..', '..', 'snapshots', 'demo.age')
  await snapshotCluster(bench.run(), { file, to: snapshot })
  const restore = () =>
    restoreCluster(bench.run(), { file, snapshot, discardEtcd: true, confirm: async () => true })
  talosState(world).faults.failCall({ method: 'EtcdRecover' }, 'no room is left')
  await expect(restore()).rejects.toMatchObject({ code: 'talos-refused' })

  const command = `hcloud-talos restore --snapshot ${snapshot}`
  const { plan } = await planCluster(bench.run(), { file, verb: 'apply' })
  expect(plan.findings.filter(({ severity }) => severity === 'error')).toEqual([
    expect.objectContaining({
      message: expect.stringContaining(`a restore from ${snapshot} was started`),
      hint: expect.stringContaining(command),
    }),
  ])
  const upgrade = await planCluster(bench.run(), { file, verb: 'upgrade' })
  expect(upgrade.plan.findings[0]?.hint).toContain(command)
  const apply = () =>
    expect(applyCluster(bench.run(), { file })).rejects.toMatchObject({ code: 'plan-refused' })
  expect(await changesDuring(world, apply)).toEqual([])
  const warnings: string[] = []
  const progress = { ...silentProgress, warn: (text: string) => void warnings.push(text) }
  await mintAccess(bench.run({ progress }), { file, hours: 1 })
  expect(warnings).toEqual([expect.stringContaining(command)])
  expect(await runDoctor(bench.run(), { file })).toContainEqual(
    expect.objectContaining({ verdict: 'bad', fix: expect.stringContaining(command) }),
  )

  expect(await restore()).toMatchObject({ restored: true, left: 0 })
  expect((await planCluster(bench.run(), { file, verb: 'apply' })).plan.findings).toEqual([])
})

const entry = (fact: FactName): JournalEntry => ({
  at: '2026-11-28T02:00:00.000Z',
  run: '1',
  attempt: 1,
  fact,
  detail: { place: 's3://a/b' },
})

it.each<[string, FactName[], RegExp | undefined]>([
  ['no restore', ['etcd-bootstrapped'], undefined],
  [
    'one that ended',
    ['restore-started', 'etcd-wipe-started', 'etcd-recover-started', 'etcd-recovered'],
    undefined,
  ],
  ['servers are missing', ['restore-started'], /servers were being created/],
  ['one that was started again after the wipe', ['etcd-wipe-started', 'restore-started'], /wiped/],
  [
    'the second one',
    ['etcd-recovered', 'restore-started', 'etcd-recover-started'],
    /not be complete/,
  ],
])('%s', (_, facts, how) => {
  const message = pendingRestore(facts.map(entry))?.message
  if (how) expect(message).toMatch(how)
  else expect(message).toBeUndefined()
  expect(guardPendingRestore(facts.map(entry))).toHaveLength(how ? 1 : 0)
})
