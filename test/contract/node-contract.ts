import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { status } from '@grpc/grpc-js'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { EventType } from '../../src/talos/api/gen/cosi/state_pb.js'
import type { WatchQuery } from '../../src/talos/api/methods/resource-methods.ts'
import { type TalosApi, talosApi } from '../../src/talos/api/talos-api.ts'
import { TalosClient } from '../../src/talos/api/talos-client.ts'
import { statusCode } from '../../src/talos/api/talos-status.ts'
import { parseTalosconfig } from '../../src/talos/config/parse-talosconfig.ts'
import type { TalosCredentials, TalosRole } from '../../src/talos/config/talosconfig.ts'
import { probeNode } from '../../src/talos/probe-node.ts'
import type { ContractCluster } from './cluster-contract.ts'

/** How Talos's API behaves on a configured node. */
export function nodeContract(cluster: () => ContractCluster): void {
  const addressOf = (name: string) =>
    cluster().bench.sandbox.world.machineNamed(name)?.publicIp ?? ''

  const minted = new Map<TalosRole, Promise<TalosCredentials>>()

  async function mint(role: TalosRole): Promise<TalosCredentials> {
    const { bench } = cluster()
    const file = join(bench.folder, `talosconfig-${role.slice(3)}`)
    const ended = await bench.run(['talosconfig', '--out', file, '--role', role])
    expect(ended.code, ended.stderr).toBe(0)
    return parseTalosconfig(await readFile(file, 'utf8'), 'talosconfig').credentials
  }

  /** Speaks with a node as somebody of this role. */
  async function as<T>(
    role: TalosRole,
    name: string,
    speak: (api: TalosApi) => Promise<T>,
  ): Promise<T> {
    const credentials = minted.get(role) ?? mint(role)
    minted.set(role, credentials)
    using client = new TalosClient({ address: addressOf(name), credentials: await credentials })
    return await speak(talosApi(client))
  }

  const admin = <T>(name: string, speak: (api: TalosApi) => Promise<T>) =>
    as('os:admin', name, speak)

  /** The gRPC status that a call is refused with. */
  async function refusal(call: Promise<unknown>): Promise<number | undefined> {
    return await call.then(
      () => status.OK,
      (error: unknown) => statusCode(error),
    )
  }

  const both = () => [cluster().controlPlane, cluster().worker]

  it('a configured node wants a certificate, of anybody', async () => {
    for (const name of both()) {
      expect(await probeNode(addressOf(name))).toMatchObject({ state: 'configured' })
    }
  })

  it('tells its version, and that it runs on Hetzner', async () => {
    for (const name of both()) {
      const { version, platform } = await as('os:reader', name, ({ machine }) => machine.version())
      expect(version?.tag).toMatch(/^v1\.\d+\.\d+$/)
      expect(platform).toMatchObject({ name: 'hcloud', mode: 'cloud' })
    }
  })

  it('a reader looks, and reads no file', async () => {
    const read = async ({ machine }: TalosApi) => {
      for await (const _piece of machine.read('/etc/os-release')) return
    }
    expect(await refusal(as('os:reader', cluster().worker, read))).toBe(status.PERMISSION_DENIED)
    expect(await refusal(admin(cluster().worker, read))).toBe(status.OK)
  })

  it('runs the services of its role, and all are well', async () => {
    const everywhere = ['apid', 'containerd', 'cri', 'kubelet', 'machined']
    const wanted = {
      [cluster().controlPlane]: [...everywhere, 'etcd', 'trustd'],
      [cluster().worker]: everywhere,
    }
    for (const [name, ids] of Object.entries(wanted)) {
      const { services } = await as('os:reader', name, ({ machine }) => machine.serviceList())
      const states = new Map(services.map(({ id, state, health }) => [id, { state, health }]))
      for (const id of ids) {
        expect(states.get(id), `${id} on ${name}`).toMatchObject({
          state: 'Running',
          health: { healthy: true },
        })
      }
      expect(states.has('etcd')).toBe(name === cluster().controlPlane)
    }
  })

  it('etcd has one member, which leads', async () => {
    await as('os:reader', cluster().controlPlane, async ({ machine }) => {
      const { members } = await machine.etcdMemberList()
      expect(members).toMatchObject([{ hostname: cluster().controlPlane, isLearner: false }])
      const { memberStatus } = await machine.etcdStatus()
      expect(memberStatus?.leader).toBe(memberStatus?.memberId)
      expect(memberStatus?.memberId).toBe(members[0]?.id)
      expect(memberStatus?.errors).toEqual([])
      expect((await machine.etcdAlarmList()).memberAlarms).toEqual([])
    })
  })

  it('etcd is bootstrapped once, and never by a worker', async () => {
    const bootstrap = ({ machine }: TalosApi) => machine.bootstrap()
    expect(await refusal(admin(cluster().controlPlane, bootstrap))).toBe(status.ALREADY_EXISTS)
    expect(await refusal(admin(cluster().worker, bootstrap))).toBe(status.UNIMPLEMENTED)
  })

  it('a snapshot of etcd ends with the digest of what is before', async () => {
    const bytes = await admin(cluster().controlPlane, async ({ machine }) => {
      const pieces: Uint8Array[] = []
      for await (const { bytes: piece } of machine.etcdSnapshot()) pieces.push(piece)
      return Buffer.concat(pieces)
    })
    const content = bytes.subarray(0, -32)
    expect(createHash('sha256').update(content).digest()).toEqual(bytes.subarray(-32))
  })

  it('etcd keeps the last member where it is, and knows no stranger', async () => {
    const name = cluster().controlPlane
    const forfeit = admin(name, ({ machine }) => machine.etcdForfeitLeadership())
    await expect(forfeit).rejects.toThrow('cannot forfeit leadership, only one member')
    const remove = admin(name, ({ machine }) => machine.etcdRemoveMemberById(1n))
    await expect(remove).rejects.toThrow('failed to remove member 1: etcdserver: member not found')
    expect(await refusal(remove)).toBe(status.NOT_FOUND)
  })

  it('its services are not stopped, and the kubelet alone is restarted', async () => {
    await admin(cluster().worker, async ({ machine }) => {
      for (const id of ['kubelet', 'apid', 'cri']) {
        const words = `service "${id}" doesn't support stop operation via API`
        await expect(machine.serviceStop(id)).rejects.toThrow(words)
      }
      await expect(machine.serviceRestart('cri')).rejects.toThrow("doesn't support restart")
      await expect(machine.serviceStart('unicorn')).rejects.toThrow('"unicorn" not defined')
      expect((await machine.serviceStart('kubelet')).resp).toBe('Service "kubelet" started')
    })
  })

  it('events begin with one that is empty, and there is no log of nothing', async () => {
    await as('os:reader', cluster().worker, async ({ machine }) => {
      for await (const { data } of machine.events()) {
        expect(data?.typeUrl).toBe('')
        break
      }
      const log = collect(machine.logs('unicorn'))
      await expect(log).rejects.toThrow('log "unicorn" was not registered')
    })
  })

  it('packets are those of a link that is there, dated to the nanosecond', async () => {
    await admin(cluster().worker, async ({ machine }) => {
      for await (const { bytes } of machine.packetCapture({ link: 'eth0' })) {
        expect(Buffer.from(bytes).readUInt32LE(0)).toBe(0xa1b23c4d)
        break
      }
      const nowhere = collect(machine.packetCapture({ link: 'unicorn' }))
      expect(await refusal(nowhere)).toBe(status.NOT_FOUND)
    })
  })

  it('an image is in the store that it was pulled into, by its name and by its digest', async () => {
    const reference = 'docker.io/library/busybox:latest'
    await admin(cluster().worker, async ({ image }) => {
      for (const store of ['system', 'services', 'pods'] as const) {
        const answers = await collect(image.pull(reference, store))
        const name = String(answers.at(-1)?.response.value)
        expect(name).toMatch(/^docker\.io\/library\/busybox@sha256:[0-9a-f]{64}$/)
        const names = async () => (await collect(image.list(store))).map((each) => each.name)
        expect(await names()).toEqual(expect.arrayContaining([reference, name]))
        await image.remove(reference, store)
        expect(await names()).not.toContain(reference)
        expect(await refusal(image.remove(reference, store))).toBe(status.NOT_FOUND)
      }
    })
  })

  it('its resources say that it runs; a type that nobody knows is nobody’s to read', async () => {
    const stage = { namespace: 'runtime', type: 'MachineStatuses.runtime.talos.dev' }
    const unknown = { namespace: 'runtime', type: 'Unicorns.runtime.talos.dev' }
    for (const name of both()) {
      await admin(name, async ({ resources }) => {
        const { resource } = await resources.get(stage, 'machine')
        expect(resource?.spec?.yamlSpec).toContain('stage: running')
        expect(resource?.spec?.yamlSpec).toContain('ready: true')
        expect(await refusal(resources.get(stage, 'nothing'))).toBe(status.NOT_FOUND)
        expect(await refusal(resources.get(unknown, 'machine'))).toBe(status.PERMISSION_DENIED)
      })
    }
  })

  it('a watch says first that it has started, and then what there is', async () => {
    const type = { namespace: 'runtime', type: 'MachineStatuses.runtime.talos.dev' }
    const { CREATED, BOOTSTRAPPED } = EventType
    await as('os:reader', cluster().worker, async ({ resources }) => {
      const kinds = async (query: WatchQuery, count: number) => {
        const received: EventType[][] = []
        for await (const { event } of resources.watch(type, query)) {
          received.push(event.map(({ eventType }) => eventType))
          if (received.length === count) break
        }
        return received
      }
      expect(await kinds({ fromPresent: true }, 3)).toEqual([[], [CREATED], [BOOTSTRAPPED]])
      expect(await kinds({ id: 'machine' }, 2)).toEqual([[], [CREATED]])
      expect(await kinds({ id: 'machine', fromPresent: true }, 2)).toEqual([[], [CREATED]])
    })
  })

  it('lets nobody write a resource, and nothing be installed where Talos runs', async () => {
    const type = { namespace: 'runtime', type: 'MachineStatuses.runtime.talos.dev' }
    await admin(cluster().worker, async ({ resources, lifecycle }) => {
      const { resource } = await resources.get(type, 'machine')
      if (resource === undefined) throw new Error('no status')
      const writes = [
        resources.create(resource, { owner: 'nobody' }),
        resources.update(resource, { owner: 'nobody' }),
        resources.destroy(type, 'machine', { owner: 'nobody' }),
      ]
      // All at once: one that is refused while another is awaited would be nobody's failure.
      expect(await Promise.all(writes.map(refusal))).toEqual(
        writes.map(() => status.PERMISSION_DENIED),
      )
      const install = collect(lifecycle.install('ghcr.io/siderolabs/installer:v1.13.0', '/dev/sda'))
      expect(await refusal(install)).toBe(status.ALREADY_EXISTS)
    })
  })

  it('takes the config that it has without a change, and none that is none', async () => {
    await admin(cluster().worker, async ({ machine, resources }) => {
      const type = { namespace: 'config', type: 'MachineConfigs.config.talos.dev' }
      const { resource } = await resources.get(type, 'v1alpha1')
      // The config is one YAML text in the other.
      const config = String(parse(resource?.spec?.yamlSpec ?? ''))
      expect(config).toContain('clusterName: demo')
      const before = await bootIdOf(machine)
      await machine.applyConfiguration(config)
      const { resource: after } = await resources.get(type, 'v1alpha1')
      expect(after?.spec?.yamlSpec).toBe(resource?.spec?.yamlSpec)
      expect(await bootIdOf(machine)).toBe(before)
      const spoilt = config.replace(/^ {4}type: worker$/m, '    type: unicorn')
      expect(spoilt).not.toBe(config)
      expect(await refusal(machine.applyConfiguration(spoilt))).toBe(status.INVALID_ARGUMENT)
      const unreadable = machine.applyConfiguration('machine: [')
      expect(await refusal(unreadable)).toBe(status.INVALID_ARGUMENT)
    })
  })

  it('a file that is not there is an error, not an empty file or folder', async () => {
    await admin(cluster().worker, async ({ machine }) => {
      expect(await refusal(collect(machine.read('/etc/unicorn')))).toBe(status.NOT_FOUND)
      expect(await refusal(collect(machine.list('/etc/unicorn')))).toBe(status.UNKNOWN)
      const [missing] = await collect(machine.diskUsage(['/etc/unicorn']))
      expect(missing?.error).toContain('no such file or directory')
    })
  })

  it('what a folder takes is one sum, or as deep as is asked', async () => {
    await admin(cluster().worker, async ({ machine }) => {
      const names = async (depth: number) =>
        (await collect(machine.diskUsage(['/var'], { depth }))).map(({ name }) => name)
      expect(await names(0)).toEqual(['/var'])
      const shallow = await names(1)
      expect(shallow).toContain('/var/log')
      expect(shallow.filter((name) => name.split('/').length > 3)).toEqual([])
      expect((await names(2)).at(-1)).toBe('/var')
    })
  })

  it('reboots into the same system with another boot id, and its etcd is the same member', async () => {
    const name = cluster().controlPlane
    const look = ({ machine }: TalosApi) =>
      Promise.all([bootIdOf(machine), machine.etcdMemberList().then(({ members }) => members)])
    const [bootId, members] = await admin(name, look)
    await admin(name, ({ machine }) => machine.reboot())
    await expect
      .poll(() => admin(name, ({ machine }) => bootIdOf(machine)).catch(() => bootId), {
        timeout: 120_000,
        interval: 500,
      })
      .not.toBe(bootId)
    await expect
      .poll(
        () =>
          admin(name, look).then(
            ([, now]) => now.map(({ id }) => id),
            () => [],
          ),
        { timeout: 120_000, interval: 500 },
      )
      .toEqual(members.map(({ id }) => id))
    // What comes next finds the cluster as it was.
    await expect
      .poll(
        () =>
          admin(name, async ({ resources }) => {
            const type = { namespace: 'runtime', type: 'MachineStatuses.runtime.talos.dev' }
            const { resource } = await resources.get(type, 'machine')
            return resource?.spec?.yamlSpec ?? ''
          }).catch(() => ''),
        { timeout: 180_000, interval: 1_000 },
      )
      .toContain('ready: true')
  })
}

async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const each of stream) all.push(each)
  return all
}

async function bootIdOf(machine: TalosApi['machine']): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const { bytes } of machine.read('/proc/sys/kernel/random/boot_id')) pieces.push(bytes)
  return Buffer.concat(pieces).toString('utf8').trim()
}
