import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { restoreCluster } from '../../src/commands/backup/restore-cluster.ts'
import { snapshotCluster } from '../../src/commands/backup/snapshot-cluster.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { pollLimitMs } from '../hang-limit.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { startBench } from './harness.ts'
import { openApi, withKubernetes } from './lost-etcd.ts'

const file = clusterFile({ workers: 1 }, { ...bare, ...openApi })
const ref = { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'risen' }

// A kubelet remembers pods that it ended; the life of one real control plane does the same.
it('a pod that was deleted after the snapshot comes back with it, and can be deleted again', async () => {
  await using bench = await startBench()
  const folder = await mkdtemp(join(tmpdir(), 'hcloud-talos-restore-'))
  await applyCluster(bench.run(), { file })
  await withKubernetes(bench, file, async (client) => {
    const { apiVersion, kind, namespace, name } = ref
    const spec = {
      nodeName: 'demo-workers-1',
      hostNetwork: true,
      containers: [{ name: 'a', image: 'a:1' }],
    }
    const pod = { apiVersion, kind, metadata: { name, namespace }, spec }
    await client.applyServerSide(pod, { fieldManager: 'us', force: false })
  })
  const isThere = () =>
    withKubernetes(bench, file, async (client) => (await client.get(ref)) !== undefined)
  const endIt = async () => {
    await withKubernetes(bench, file, (client) => client.delete(ref))
    await expect.poll(isThere, { timeout: pollLimitMs }).toBe(false)
  }
  const { place } = await snapshotCluster(bench.run(), { file, to: `${folder}/` })
  await endIt()
  await restoreCluster(bench.run(), {
    file,
    snapshot: place,
    discardEtcd: true,
    confirm: async () => true,
  })
  expect(await isThere()).toBe(true)
  await endIt()
  await rm(folder, { recursive: true })
})
