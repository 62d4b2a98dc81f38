import { X509Certificate } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { status } from '@grpc/grpc-js'
import { expect } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import type { machineMethods } from '../../../src/talos/api/methods/machine-methods.ts'
import { talosApi } from '../../../src/talos/api/talos-api.ts'
import { TalosClient } from '../../../src/talos/api/talos-client.ts'
import { parseTalosconfig } from '../../../src/talos/config/parse-talosconfig.ts'
import {
  allOf,
  bytesOf,
  type EntriesOf,
  patience,
  type RealNode,
  type RealNodes,
  rebootsBy,
  refused,
} from './method-entry.ts'

const keepalive = '/proc/sys/net/ipv4/tcp_keepalive_time'
const busybox = 'docker.io/library/busybox:latest'

/** The installer of the version that runs, with the schematic that the node was made from. */
export async function installerOf({ api }: RealNode): Promise<string> {
  const { version } = await api.machine.version()
  const type = { namespace: 'runtime', type: 'ExtensionStatuses.runtime.talos.dev' }
  for await (const { resource } of api.resources.list(type)) {
    const { metadata } = parse(resource?.spec?.yamlSpec ?? '')
    if (metadata.name !== 'schematic') continue
    return `factory.talos.dev/hcloud-installer/${metadata.version}:${version?.tag}`
  }
  throw new Error('the node tells no schematic')
}

async function configOf({ api }: RealNode): Promise<string> {
  const type = { namespace: 'config', type: 'MachineConfigs.config.talos.dev' }
  const { resource } = await api.resources.get(type, 'v1alpha1')
  return String(parse(resource?.spec?.yamlSpec ?? ''))
}

/** A container has no partition for it. */
const noMeta = (call: (nodes: RealNodes) => Promise<unknown>) =>
  refused(status.FAILED_PRECONDITION, /not supported in container mode/, call)

/** A node's config and life. What a container refuses of it is played by the rig, one level below. */
export const machineEntries: EntriesOf<ReturnType<typeof machineMethods>> = {
  async applyConfiguration({ worker }) {
    const { machine } = worker.api
    const config = await configOf(worker)
    const dry = await machine.applyConfiguration(config, { dryRun: true })
    expect(dry.modeDetails).toContain('Dry run summary')
    const [first, ...others] = parseAllDocuments(config)
    first?.setIn(['machine', 'sysctls', 'net.ipv4.tcp_keepalive_time'], '4321')
    const tried = [first, ...others].map(String).join('---\n')
    const seconds = async () => String(await bytesOf(machine.read(keepalive))).trim()
    const before = await seconds()
    await machine.applyConfiguration(tried, { mode: 'try', tryMs: 3_000 })
    await expect.poll(seconds, patience).toBe('4321')
    await expect.poll(seconds, { timeout: 20_000, interval: 250 }).toBe(before)
  },
  bootstrap: refused(
    status.ALREADY_EXISTS,
    /etcd data directory is not empty/,
    ({ controlPlane: { api } }) => api.machine.bootstrap(),
  ),
  reboot: async ({ spare }) => {
    await rebootsBy(spare, async () => {
      expect((await spare.api.machine.reboot()).actorId).toMatch(/^[0-9a-f-]{36}$/)
    })
  },
  async shutdown({ spare, cluster: { world } }) {
    const hardware = [...world.machines.values()].find(({ name }) => name === spare.name)
    await spare.api.machine.shutdown()
    await expect.poll(() => hardware?.power, patience).toBe('off')
    await hardware?.powerOn()
    const answers = () => spare.api.machine.hostname().then(({ hostname }) => hostname)
    await expect.poll(() => answers().catch(() => ''), patience).toBe(spare.name)
  },
  async upgrade({ spare }) {
    const image = await installerOf(spare)
    await rebootsBy(spare, async () => {
      expect((await spare.api.machine.upgrade(image)).ack).toBe('Upgrade request received')
    })
  },
  async rollback({ spare }) {
    await rebootsBy(spare, () => spare.api.machine.rollback())
  },
  async reset({ spare }) {
    const marker = async () => {
      const { machine } = spare.api
      return (await allOf(machine.imageList('pods'))).some(({ name }) => name === busybox)
    }
    await spare.api.machine.imagePull(busybox, 'pods')
    expect(await marker()).toBe(true)
    await rebootsBy(spare, () =>
      spare.api.machine.reset({ graceful: false, reboot: true, partitions: ['EPHEMERAL'] }),
    )
    expect(await marker()).toBe(false)
  },
  async kubeconfig({ controlPlane: { api } }) {
    const archive = gunzipSync(await bytesOf(api.machine.kubeconfig())).toString('utf8')
    expect(archive).toMatch(/^kubeconfig\0/)
    expect(archive).toContain('current-context: admin@demo')
  },
  async generateClientConfiguration({ controlPlane: { api, address } }) {
    const lifeMs = 600_000
    const roles = ['os:reader'] as const
    const { talosconfig, crt } = await api.machine.generateClientConfiguration({ roles, lifeMs })
    const { validFromDate, validToDate } = new X509Certificate(crt)
    const life = validToDate.getTime() - validFromDate.getTime()
    expect(Math.abs(life - lifeMs)).toBeLessThan(60_000)
    const text = Buffer.from(talosconfig)
      .toString('utf8')
      .replace('endpoints: []', `endpoints: [${address}]`)
    const { credentials } = parseTalosconfig(text, 'the answer')
    using reader = new TalosClient({ address, credentials })
    const { machine } = talosApi(reader)
    expect((await machine.hostname()).hostname).toBe('demo-control-plane-1')
    await expect(bytesOf(machine.read('/etc/os-release'))).rejects.toThrow('not authorized')
  },
  metaWrite: noMeta(({ worker: { api } }) => api.machine.metaWrite(0x0a, Uint8Array.of(1))),
  metaDelete: noMeta(({ worker: { api } }) => api.machine.metaDelete(0x0a)),
  async imageList({ worker: { api } }) {
    const services = await allOf(api.machine.imageList('services'))
    const kubelet = services.find(({ name }) => name === 'ghcr.io/siderolabs/kubelet:v1.35.4')
    expect(kubelet?.digest).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(kubelet?.size).toBeGreaterThan(10n << 20n)
    const pods = await allOf(api.machine.imageList('pods'))
    expect(pods.some(({ name }) => name.startsWith('registry.k8s.io/pause:'))).toBe(true)
  },
  async imagePull({ worker: { api } }) {
    await api.machine.imagePull(busybox, 'services')
    const names = (await allOf(api.machine.imageList('services'))).map(({ name }) => name)
    expect(names).toContain(busybox)
    const absent = api.machine.imagePull('docker.io/library/unicorn:1', 'pods')
    await expect(absent).rejects.toThrow('docker.io/library/unicorn:1: not found')
  },
}
