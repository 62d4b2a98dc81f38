import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { talosApi } from '../../src/talos/api/talos-api.ts'
import { TalosClient } from '../../src/talos/api/talos-client.ts'
import { parseTalosconfig } from '../../src/talos/config/parse-talosconfig.ts'
import type { RealCluster } from './real-cluster.ts'

/** What the database of etcd takes on the disk, and how much of that is in use, in bytes. */
interface EtcdSizes {
  readonly size: number
  readonly inUse: number
}

/** One object, in bytes, and how many times that it takes at most: the database copies what lies on the pages of a write. */
const [objectBytes, takenTimes] = [100_000, 2]
/** What is larger still, and as large as Kubernetes takes it: data up to 1 MiB, and annotations up to 256 KiB. */
const [dataBytes, annotationBytes] = [1_040_000, 250_000]
/** Too little for that. */
const roomLeft = 1_250_000
const label = 'filling=etcd'

/** Fills the database of etcd with objects until its quota has no room for one more, which raises the alarm. */
export async function fillUp(cluster: RealCluster, node: string, quota: number): Promise<void> {
  await fill(cluster, node, quota - roomLeft)
  const annotations = { text: 'x'.repeat(annotationBytes) }
  const refused = await create(cluster, 'one-too-many', [dataBytes], annotations)
  expect(refused.stderr).toContain('etcdserver: mvcc: database space exceeded')
}

export async function etcdSizes(cluster: RealCluster, node: string): Promise<EtcdSizes> {
  const file = join(cluster.bench.folder, 'talosconfig')
  const { credentials } = parseTalosconfig(await readFile(file, 'utf8'), file)
  const { publicIp: address = '' } = cluster.world.machineNamed(node) ?? {}
  using client = new TalosClient({ address, credentials })
  const { memberStatus } = await talosApi(client).machine.etcdStatus()
  const { dbSize = 0n, dbSizeInUse = 0n } = memberStatus ?? {}
  return { size: Number(dbSize), inUse: Number(dbSizeInUse) }
}

/** Creates objects until the database is as large as this, or a little larger: always as many as fit in any case. */
async function fill(cluster: RealCluster, node: string, upTo: number): Promise<void> {
  for (let round = 1; ; round++) {
    const { size } = await etcdSizes(cluster, node)
    if (size >= upTo) return
    const count = Math.max(1, Math.floor((upTo - size) / objectBytes / takenTimes))
    const made = await create(cluster, `filling-${round}`, new Array(count).fill(objectBytes))
    expect(made.code, made.stderr).toBe(0)
  }
}

async function create(
  cluster: RealCluster,
  name: string,
  sizes: readonly number[],
  annotations: Readonly<Record<string, string>> = {},
) {
  const [key = '', value] = label.split('=')
  const items = sizes.map((bytes, index) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `${name}-${index}`, labels: { [key]: value }, annotations },
    data: { text: 'x'.repeat(bytes) },
  }))
  const list = { apiVersion: 'v1', kind: 'List', items }
  const file = await cluster.bench.write('filling.json', JSON.stringify(list))
  return cluster.kubectl('create', '--filename', file, '--output=name')
}
