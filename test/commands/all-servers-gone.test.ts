import { join } from 'node:path'
import { expect, it } from 'vitest'
import { restoreCluster } from '../../src/commands/backup/restore-cluster.ts'
import { snapshotCluster } from '../../src/commands/backup/snapshot-cluster.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import type { Change } from '../../src/plan/change.ts'
import { orderRestore } from '../../src/planner/restore-plan.ts'
import { deleteServerByHand } from './by-hand.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { startBench } from './harness.ts'
import { hasNote, openApi, writeNote } from './lost-etcd.ts'
import { nodeNames } from './simulated-kubernetes.ts'
import { changesDuring, expectTidy } from './world-facts.ts'

// There is no discovery service in this world: a new worker finds a control plane through Kubernetes alone.
const file = clusterFile({ workers: 2 }, { ...bare, ...openApi })
const names = ['demo-control-plane-1', 'demo-workers-1', 'demo-workers-2']

it('all servers are gone: etcd begins once the control planes are there, and workers come after it', async () => {
  await using bench = await startBench()
  await applyCluster(bench.run(), { file })
  await writeNote(bench, file, 'kept')
  const to = join(bench.sandbox.endpoints.git.folder, '..', '..', 'snapshot.age')
  await snapshotCluster(bench.run(), { file, to })
  for (const name of names) await deleteServerByHand(bench, name)
  const { restored, left } = await restoreCluster(bench.run(), {
    file,
    snapshot: to,
    discardEtcd: false,
    confirm: async () => true,
  })
  expect([restored, left]).toEqual([true, 0])
  expect(nodeNames(bench.sandbox.world)).toEqual(names)
  expect(await hasNote(bench, file, 'kept')).toBe(true)
  await expectTidy(bench)
})

it('all that etcd stands on comes before it, and no worker does', () => {
  const node = (name: string, role: string): Change => ({
    key: `node/${name}`,
    action: 'create',
    before: undefined,
    after: { kind: 'node', name, spec: { role }, needs: [] },
    fields: [],
    reason: '',
    risk: 'additive',
    needs: [],
  })
  const changes = [node('w', 'worker'), node('c', 'control-plane')]
  const { beforeEtcd, withKubernetes } = orderRestore(changes)
  expect(beforeEtcd.map(({ key }) => key)).toEqual(['node/c'])
  expect(withKubernetes.map(({ key }) => key)).toEqual(['node/w'])
})

it.each(['secrets', 'all'] as const)(
  'with state.encrypt: %s, a restore refuses what the cluster that it brings back could not live with',
  async (encrypt) => {
    await using bench = await startBench()
    const { world } = bench.sandbox
    const asked = { ...bare, ...openApi, state: { encrypt } }
    const born = clusterFile({ workers: 0 }, asked)
    await applyCluster(bench.run(), { file: born })
    const snapshot = join(bench.sandbox.endpoints.git.folder, '..', '..', 'snapshot.age')
    await snapshotCluster(bench.run(), { file: born, to: snapshot })
    await deleteServerByHand(bench, 'demo-control-plane-1')
    const options = { snapshot, discardEtcd: false, confirm: async () => true }
    const fixed = 'of the running cluster demo is'
    const refused: readonly (readonly [JsonObject, string])[] = [
      [{ network: { podRange: '10.0.160.0/19' } }, fixed],
      [{ network: { serviceRange: '172.20.0.0/16' } }, fixed],
      [{ network: { dnsDomain: 'example.internal' } }, fixed],
      [
        { talos: { version: 'v1.12.11' }, kubernetes: { version: '1.35.4' } },
        'new nodes would run Talos v1.12.11, which does not run the Kubernetes 1.36.3',
      ],
    ]
    for (const [more, message] of refused) {
      const other = clusterFile({ workers: 0 }, { ...asked, ...more })
      const changes = await changesDuring(world, () =>
        expect(restoreCluster(bench.run(), { file: other, ...options })).rejects.toMatchObject({
          code: 'plan-refused',
          findings: [{ message: expect.stringContaining(message) }],
        }),
      )
      expect(changes).toEqual([])
    }
    const { left } = await restoreCluster(bench.run(), { file: born, ...options })
    expect(left).toBe(0)
    await expectTidy(bench)
  },
)
