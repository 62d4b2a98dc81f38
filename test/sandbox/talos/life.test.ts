import { gunzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { State } from '../../../src/talos/api/gen/cosi/state_pb.js'
import { ImageService } from '../../../src/talos/api/gen/machine/image_pb.js'
import { LifecycleService } from '../../../src/talos/api/gen/machine/lifecycle_pb.js'
import { MachineService } from '../../../src/talos/api/gen/machine/machine_pb.js'
import { createConfig } from './cluster-secrets.ts'
import { TalosBed } from './talos-bed.ts'
import { collect, failureOf, type TalosClient } from './talos-client.ts'

const { method } = MachineService
const auto = 1
const machineStatus = {
  namespace: 'runtime',
  type: 'MachineStatuses.runtime.talos.dev',
  id: 'machine',
}
const beds: TalosBed[] = []

function newBed(): TalosBed {
  const bed = new TalosBed()
  beds.push(bed)
  return bed
}

afterEach(async () => {
  for (const bed of beds.splice(0)) {
    await bed.close()
    expect(bed.world.contractErrors).toEqual([])
  }
})

async function versionOf(client: TalosClient): Promise<string | undefined> {
  const { messages } = await client.unary(method.version, {})
  return messages[0]?.version?.tag
}

async function bootIdOf(client: TalosClient): Promise<string> {
  const chunks = await collect(
    client.stream(method.read, { path: '/proc/sys/kernel/random/boot_id' }),
  )
  return Buffer.concat(chunks.map(({ bytes }) => bytes)).toString()
}

async function stageOf(client: TalosClient): Promise<string> {
  const { resource } = await client.unary(State.method.get, machineStatus)
  return parse(resource?.spec?.yamlSpec ?? '').stage
}

test('a node goes from maintenance to a cluster of one, with a kubeconfig', async () => {
  const bed = newBed()
  const machine = await bed.boot('demo-control-plane-1', { version: 'v1.13.0' })
  const anyone = bed.anyone(machine)
  expect(await versionOf(anyone)).toBe('v1.13.0')
  expect(await stageOf(anyone)).toBe('maintenance')

  const data = Buffer.from(createConfig('controlplane', bed.secrets, { kubernetes: '1.35.0' }))
  const applied = await anyone.unary(method.applyConfiguration, { data, mode: auto })
  expect(applied.messages[0]?.modeDetails).toBe('Applied configuration without a reboot')

  const admin = bed.client(machine)
  await bed.until('mutual TLS', () => bed.node(machine.name)?.api.listening === true)
  expect(await stageOf(admin)).toBe('booting')
  await admin.unary(method.bootstrap, {})
  await bed.until('running', async () => (await stageOf(admin)) === 'running')

  const [member] = (await admin.unary(method.etcdMemberList, {})).messages[0]?.members ?? []
  expect(member).toMatchObject({
    hostname: 'demo-control-plane-1',
    peerUrls: ['https://10.0.64.1:2380'],
    isLearner: false,
  })
  const [status] = (await admin.unary(method.etcdStatus, {})).messages
  expect(status?.memberStatus?.leader).toBe(member?.id)

  const archive = await collect(admin.stream(method.kubeconfig, {}))
  const tar = gunzipSync(Buffer.concat(archive.map(({ bytes }) => bytes)))
  expect(tar.subarray(0, 10).toString()).toBe('kubeconfig')
  expect(parse(tar.subarray(512).toString()).clusters[0].cluster.server).toBe(
    'https://10.0.127.253:6443',
  )
  const [kubernetes] = bed.kubernetes
  expect(kubernetes?.nodes.get('demo-control-plane-1')).toMatchObject({
    internalIp: '10.0.64.1',
    externalIp: machine.publicIp,
    osImage: 'Talos (v1.13.0)',
    kubeletVersion: 'v1.35.0',
    bootId: machine.bootId,
    taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }],
  })
  expect(kubernetes?.served).toEqual(new Set([`${machine.publicIp}:6443`]))
  expect(kubernetes?.options.serverSans()).toContain(machine.publicIp)
})

test('before 1.13 maintenance mode answers few methods, and tells its stage by COSI', async () => {
  const bed = newBed()
  const machine = await bed.boot('old', { version: 'v1.12.0' })
  const anyone = bed.anyone(machine)
  expect(await failureOf(versionOf(anyone))).toBe(
    'UNIMPLEMENTED: API is not implemented in maintenance mode',
  )
  expect(await failureOf(anyone.unary(method.serviceList, {}))).toMatch(/^UNIMPLEMENTED/)
  expect(await stageOf(anyone)).toBe('maintenance')
})

test('an upgrade up to 1.12 is one call, and the node reboots by itself', async () => {
  const bed = newBed()
  const machine = await bed.configured('demo-control-plane-1', 'controlplane', 'v1.11.0')
  const admin = bed.client(machine)
  await admin.unary(method.bootstrap, {})
  await bed.until('running', async () => (await stageOf(admin)) === 'running')
  const before = await bootIdOf(admin)
  const image = `factory.talos.dev/hcloud-installer/${'d'.repeat(64)}:v1.12.0`
  const { messages } = await admin.unary(method.upgrade, { image })
  expect(messages[0]?.ack).toBe('Upgrade request received')
  await bed.until('upgraded', async () => (await versionOf(admin).catch(() => '')) === 'v1.12.0')
  await bed.until('running', async () => (await stageOf(admin)) === 'running')
  expect(await bootIdOf(admin)).not.toBe(before)
  expect(machine.disk.image).toMatchObject({ version: 'v1.12.0', schematic: 'd'.repeat(64) })
  expect(bed.kubernetes[0]?.nodes.get(machine.name)?.osImage).toBe('Talos (v1.12.0)')
})

test('an upgrade since 1.13 pulls, installs and waits for a reboot', async () => {
  const bed = newBed()
  const machine = await bed.configured('demo-control-plane-1', 'controlplane', 'v1.13.0')
  const admin = bed.client(machine)
  const image = `factory.talos.dev/hcloud-installer/${'d'.repeat(64)}:v1.13.1`
  const containerd = { driver: 0, namespace: 1 }
  const upgrade = (imageName: string) =>
    collect(admin.stream(LifecycleService.method.upgrade, { containerd, source: { imageName } }))
  expect(await failureOf(upgrade(image))).toMatch(/^INTERNAL: upgrade failed/)
  const pulled = await collect(
    admin.stream(ImageService.method.pull, { containerd, imageRef: image }),
  )
  // An image is called by its digest once it is there.
  const name = String(pulled.at(-1)?.response.value)
  expect(name).toMatch(/^factory\.talos\.dev\/hcloud-installer\/d{64}@sha256:[0-9a-f]{64}$/)
  const progress = await upgrade(name)
  expect(progress.at(-1)?.progress?.response).toEqual({ case: 'exitCode', value: 0 })
  expect(await versionOf(admin)).toBe('v1.13.0')
  await admin.unary(method.reboot, {})
  await bed.until('upgraded', async () => (await versionOf(admin).catch(() => '')) === 'v1.13.1')
})

test('an installer that does not go over this version ends with exit code 1', async () => {
  const bed = newBed()
  const machine = await bed.configured('demo-control-plane-1', 'controlplane', 'v1.13.0')
  const admin = bed.client(machine)
  const image = `factory.talos.dev/hcloud-installer/${'d'.repeat(64)}:v1.11.0`
  const containerd = { driver: 0, namespace: 1 }
  await collect(admin.stream(ImageService.method.pull, { containerd, imageRef: image }))
  const progress = await collect(
    admin.stream(LifecycleService.method.upgrade, { containerd, source: { imageName: image } }),
  )
  expect(progress.map(({ progress: step }) => step?.response.value)).toEqual([
    'running Talos installer v1.11.0',
    'pre-flight checks failed: host version 1.13.0 is too new to downgrade to Talos 1.11.0',
    1,
  ])
  expect(machine.disk.image).toMatchObject({ version: 'v1.13.0' })
})

test('a power cycle keeps the config and the etcd member', async () => {
  const bed = newBed()
  const machine = await bed.configured('demo-control-plane-1')
  const admin = bed.client(machine)
  await admin.unary(method.bootstrap, {})
  await bed.until('running', async () => (await stageOf(admin)) === 'running')
  const member = (await admin.unary(method.etcdMemberList, {})).messages[0]?.members[0]?.id
  await machine.powerOff()
  expect(bed.kubernetes[0]?.down).toEqual(new Set(['demo-control-plane-1']))
  expect(bed.kubernetes[0]?.served.size).toBe(0)
  await machine.powerOn()
  await bed.until('running', async () => (await stageOf(admin).catch(() => '')) === 'running')
  expect((await admin.unary(method.etcdMemberList, {})).messages[0]?.members[0]?.id).toBe(member)
  expect(await failureOf(admin.unary(method.bootstrap, {}))).toBe(
    'ALREADY_EXISTS: etcd data directory is not empty',
  )
  expect(bed.kubernetes).toHaveLength(1)
  expect(bed.kubernetes[0]?.down.size).toBe(0)
})

test('a reset of STATE and EPHEMERAL brings maintenance back, one of the whole disk nothing', async () => {
  const bed = newBed()
  const machine = await bed.configured('demo-control-plane-1', 'controlplane', 'v1.13.0')
  const systemPartitionsToWipe = ['STATE', 'EPHEMERAL'].map((label) => ({ label, wipe: true }))
  await bed.client(machine).unary(method.reset, { reboot: true, systemPartitionsToWipe })
  const anyone = bed.anyone(machine)
  await bed.until(
    'maintenance',
    async () => (await stageOf(anyone).catch(() => '')) === 'maintenance',
  )

  const other = await bed.configured('demo-control-plane-2', 'controlplane', 'v1.13.0')
  await bed.client(other).unary(method.reset, { reboot: true })
  await bed.until('nothing to boot from', () => other.disk.image.kind === 'garbage')
  await bed.until('nothing runs', () => other.running === 'nothing' && other.power === 'on')
})

test('a shutdown switches the machine off', async () => {
  const bed = newBed()
  const machine = await bed.configured('demo-worker-1', 'controlplane')
  await bed.client(machine).unary(method.shutdown, {})
  await bed.until('off', () => machine.power === 'off')
})

test('user data with a config, even zipped, makes a node that needs no maintenance mode', async () => {
  const { gzipSync } = await import('node:zlib')
  const bed = newBed()
  const config = createConfig('controlplane', bed.secrets)
  const plain = await bed.boot('plain', { userData: config })
  const encoded = await bed.boot('encoded', { userData: Buffer.from(config).toString('base64') })
  const zipped = await bed.boot('zipped', { userData: gzipSync(config).toString('base64') })
  for (const machine of [plain, encoded, zipped]) {
    expect(await versionOf(bed.client(machine))).toBe('v1.12.0')
  }
})
