import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rigAddresses } from '../../rig/network/rig-addresses.ts'
import { clusterContract } from '../contract/cluster-contract.ts'
import { expectNothingLeft, nodeNames, readyNodes } from './cluster-facts.ts'
import { dayTwo } from './day-two.ts'
import { everyMethod } from './every-method.ts'
import { type RealCluster, startRealCluster } from './real-cluster.ts'
import { type RealFile, realFile } from './real-file.ts'

const small: RealFile = { controlPlanes: 1, workers: 1 }

/** As it begins: with the Kubernetes before. */
const young: RealFile = { ...small, kubernetes: '1.34.4' }
const kubernetes = '1.35.4'

let cluster: RealCluster
beforeAll(async () => {
  cluster = await startRealCluster('one', ['1.34.4', kubernetes])
})
afterAll(() => cluster[Symbol.asyncDispose]())

async function write(file: RealFile): Promise<void> {
  await cluster.bench.write('cluster.yaml', realFile(file))
}

async function apply(file: RealFile): Promise<string> {
  await write(file)
  const { stdout } = await cluster.succeed('apply', '--yes')
  return stdout
}

/** Whether somebody outside gets a connection to a port on a node's public side. */
function isOpen(node: string, port: number): Promise<boolean> {
  const host = cluster.world.machineNamed(node)?.publicIp ?? ''
  return new Promise((resolve) => {
    const socket = connect({ host, port, localAddress: rigAddresses.internet, timeout: 2_000 })
    const end = (open: boolean) => {
      socket.destroy()
      resolve(open)
    }
    socket.once('connect', () => end(true)).once('timeout', () => end(false))
    socket.once('error', () => end(false))
  })
}

it('the first apply makes a cluster of real nodes that are Ready', async () => {
  expect(await apply({ ...young, admit: [] })).toContain('demo: 16 to create')
  await cluster.fetchAccess()
})

it('is closed by default: what no rule names is not reached from outside', async () => {
  for (const port of [50_000, 50_001, 6_443, 10_250, 2_379, 22]) {
    expect(await isOpen('demo-control-plane-1', port), `${port}`).toBe(false)
  }
})

it('opens what the file says, to whom it says', async () => {
  await apply(young)
  expect(await isOpen('demo-control-plane-1', 50_000)).toBe(true)
  expect(await isOpen('demo-control-plane-1', 6_443)).toBe(true)
  expect(await isOpen('demo-control-plane-1', 10_250)).toBe(false)
})

it('is what kubectl and talosctl take for a healthy cluster', async () => {
  expect(await readyNodes(cluster)).toEqual(['demo-control-plane-1', 'demo-pool-1'])
  const members = await cluster.talosctl('demo-control-plane-1', 'etcd', 'members')
  expect(members.stdout).toContain('demo-control-plane-1')
  const version = await cluster.talosctl('demo-control-plane-1', 'version', '--short')
  expect(version.stdout).toContain('v1.13.0')
  const [node] = await cluster.objects(
    'get',
    'nodes',
    '--selector=!node-role.kubernetes.io/control-plane',
  )
  expect(node).toMatchObject({
    metadata: { labels: { 'node.kubernetes.io/instance-type': 'cx23' } },
    spec: { providerID: `hcloud://${cluster.world.machineNamed('demo-pool-1')?.serverId}` },
  })
})

it('a second apply has nothing to do', async () => {
  expect(await apply(young)).toContain('nothing to do')
  expect((await cluster.run('plan', '--detailed-exitcode')).code).toBe(0)
})

it('Kubernetes goes up by the button, its images in the containerd that needs each', async () => {
  expect(await apply({ ...small, kubernetes })).toContain('wait')
  await cluster.succeed('upgrade', '--yes')
  const versions = await cluster.kubectl(
    'get',
    'nodes',
    '--output=jsonpath={.items[*].status.nodeInfo.kubeletVersion}',
  )
  expect(versions.stdout).toBe(`v${kubernetes} v${kubernetes}`)
  const served = await cluster.kubectl('version', '--output=json')
  expect(JSON.parse(served.stdout)).toMatchObject({
    serverVersion: { gitVersion: `v${kubernetes}` },
  })
  expect((await cluster.run('plan', '--detailed-exitcode')).code).toBe(0)
})

it('runs real pods: exec, logs, and across nodes', async () => {
  const image = 'docker.io/library/busybox:latest'
  for (const node of ['demo-control-plane-1', 'demo-pool-1']) {
    const overrides = {
      apiVersion: 'v1',
      spec: { nodeName: node, tolerations: [{ operator: 'Exists' }] },
    }
    const created = await cluster.kubectl(
      '--namespace=kube-system',
      'run',
      `on-${node}`,
      `--image=${image}`,
      '--image-pull-policy=IfNotPresent',
      `--overrides=${JSON.stringify(overrides)}`,
      '--command',
      '--',
      '/bin/sh',
      '-c',
      'echo said; sleep 3600',
    )
    expect(created.code, created.stderr).toBe(0)
  }
  const waited = await cluster.kubectl(
    '--namespace=kube-system',
    'wait',
    '--for=condition=Ready',
    '--timeout=90s',
    'pod/on-demo-control-plane-1',
    'pod/on-demo-pool-1',
  )
  expect(waited.code, waited.stderr).toBe(0)
  const logs = await cluster.kubectl('--namespace=kube-system', 'logs', 'on-demo-pool-1')
  expect(logs.stdout).toBe('said\n')
  const pods = await cluster.objects(
    '--namespace=kube-system',
    'get',
    'pods',
    '--selector=run=on-demo-control-plane-1',
  )
  const [{ status } = { status: {} }] = pods
  const podIP =
    typeof status === 'object' && status !== null && 'podIP' in status ? `${status.podIP}` : ''
  const ping = await cluster.kubectl(
    '--namespace=kube-system',
    'exec',
    'on-demo-pool-1',
    '--',
    'ping',
    '-c',
    '1',
    '-W',
    '3',
    podIP,
  )
  expect(ping.stdout, ping.stderr).toContain('1 packets received')
})

it('a sysctl, a node label and a kubelet argument change without a reboot', async () => {
  const boot = () => cluster.talosctl('demo-pool-1', 'read', '/proc/sys/kernel/random/boot_id')
  const before = await boot()
  const patches = [
    { machine: { sysctls: { 'net.ipv4.tcp_keepalive_time': '1234' } } },
    { machine: { kubelet: { extraArgs: { 'max-pods': '55' } } } },
  ]
  await apply({ ...small, patches, workerLabels: { tier: 'gold' } })
  const sysctl = await cluster.talosctl(
    'demo-pool-1',
    'read',
    '/proc/sys/net/ipv4/tcp_keepalive_time',
  )
  expect(sysctl.stdout.trim()).toBe('1234')
  expect(await boot()).toEqual(before)
  const wait = (condition: string) =>
    cluster.kubectl('wait', 'node/demo-pool-1', `--for=jsonpath=${condition}`, '--timeout=90s')
  expect(await wait('{.metadata.labels.tier}=gold')).toMatchObject({ code: 0 })
  expect(await wait('{.status.capacity.pods}=55')).toMatchObject({ code: 0 })
  expect(await apply({ ...small, patches, workerLabels: { tier: 'gold' } })).toContain(
    'nothing to do',
  )
})

it('scales workers up', async () => {
  await apply({ ...small, workers: 2 })
  expect(await readyNodes(cluster)).toEqual(['demo-control-plane-1', 'demo-pool-1', 'demo-pool-2'])
})

everyMethod(() => cluster, {
  controlPlane: 'demo-control-plane-1',
  worker: 'demo-pool-1',
  spare: 'demo-pool-2',
})

it('scales workers down: who leaves is drained, and gone from Kubernetes and Hetzner', async () => {
  await apply(small)
  expect(await nodeNames(cluster)).toEqual(['demo-control-plane-1', 'demo-pool-1'])
  expect(cluster.world.machineNamed('demo-pool-2')).toBeUndefined()
})

clusterContract(() => ({
  bench: cluster.bench,
  controlPlane: 'demo-control-plane-1',
  worker: 'demo-pool-1',
}))

dayTwo(() => cluster, small)

it('destroy leaves nothing behind', async () => {
  await cluster.succeed('destroy', '--confirm', 'demo')
  expectNothingLeft(cluster)
})
