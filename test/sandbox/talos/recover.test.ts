import { afterEach, expect, test } from 'vitest'
import type { Hardware } from '../../../src/sandbox/hardware.ts'
import type { ClusterContent } from '../../../src/sandbox/kubernetes/cluster-content.ts'
import { MachineService } from '../../../src/talos/api/gen/machine/machine_pb.js'
import { type FakeKubernetes, TalosBed } from './talos-bed.ts'
import { collect } from './talos-client.ts'

const { method } = MachineService
const beds: TalosBed[] = []

afterEach(async () => {
  for (const bed of beds.splice(0)) {
    await bed.close()
    expect(bed.world.contractErrors).toEqual([])
  }
})

const note = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'note', uid: 'u' } }
const content: ClusterContent = { version: 7, objects: [{ resource: 'configmaps', object: note }] }

interface RunningBed {
  readonly bed: TalosBed
  readonly machine: Hardware
  readonly former: FakeKubernetes
}

/** One control plane with an etcd, and the Kubernetes in it, which holds `content`. */
async function runningBed(): Promise<RunningBed> {
  const bed = new TalosBed()
  beds.push(bed)
  const machine = await bed.configured('cp-1')
  await bed.client(machine).unary(method.bootstrap, {})
  await bed.until('the kubelet registers', () => bed.kubernetes[0]?.nodes.has('cp-1') === true)
  const [former] = bed.kubernetes
  if (!former) throw new Error('no Kubernetes was made')
  former.kept = content
  return { bed, machine, former }
}

async function wipe({ bed, machine }: RunningBed): Promise<void> {
  const before = bed.node('cp-1')
  await bed.client(machine).unary(method.reset, {
    reboot: true,
    systemPartitionsToWipe: [{ label: 'EPHEMERAL', wipe: true }],
  })
  await bed.until('it is back and empty', () => {
    const node = bed.node('cp-1')
    return node !== undefined && node !== before && node.etcd.state === 'waiting'
  })
}

async function recover({ bed, machine }: RunningBed, snapshot: { bytes: Uint8Array }[]) {
  await bed.client(machine).upload(method.etcdRecover, snapshot)
  await bed.client(machine).unary(method.bootstrap, { recoverEtcd: true })
  await bed.until('there is another Kubernetes', () => bed.kubernetes.length === 2)
}

test('a snapshot is whole pages with their hash, and carries what Kubernetes holds', async () => {
  const running = await runningBed()
  const snapshot = await collect(
    running.bed.client(running.machine).stream(method.etcdSnapshot, {}),
  )
  const size = snapshot.reduce((sum, { bytes }) => sum + bytes.length, 0)
  expect(size % 512).toBe(32)
  await wipe(running)
  await recover(running, snapshot)
  const { bed, former } = running
  expect(bed.kubernetes[1]?.options.content).toEqual(content)
  expect(former.closed).toBe(true)
  const [cluster] = bed.talos.clusters.values()
  expect(cluster?.bootstraps.map(({ recovered }) => recovered)).toEqual([false, true])
  expect([cluster?.etcds.size, cluster?.kubernetes.size]).toEqual([1, 1])
})

test('a snapshot that was handed over goes with the data beside it', async () => {
  const running = await runningBed()
  const client = running.bed.client(running.machine)
  const snapshot = await collect(client.stream(method.etcdSnapshot, {}))
  await client.upload(method.etcdRecover, snapshot)
  await wipe(running)
  await expect(client.unary(method.bootstrap, { recoverEtcd: true })).rejects.toThrow(
    'no such file or directory',
  )
})

test('a kubelet that runs does not make a Node that is gone; one that starts does', async () => {
  const running = await runningBed()
  const { bed, machine } = running
  const client = bed.client(machine)
  const worker = await bed.configured('worker-1', 'worker')
  await bed.until('the worker registers', () => running.former.nodes.has('worker-1'))
  const snapshot = await collect(client.stream(method.etcdSnapshot, {}))
  await wipe(running)
  await recover(running, snapshot)
  const [, restored] = bed.kubernetes
  if (!restored) throw new Error('no Kubernetes was restored')
  await bed.until('cp-1 registers', () => restored.nodes.has('cp-1'))
  // The control plane has booted since; the worker has not, and the snapshot does not know it.
  await client.unary(method.serviceList, {})
  expect(restored.nodes.has('worker-1')).toBe(false)
  await bed.client(worker).unary(method.serviceRestart, { id: 'kubelet' })
  await bed.until('the worker registers again', () => restored.nodes.has('worker-1'))
})
