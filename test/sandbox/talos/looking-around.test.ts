import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createClock } from '../../../src/lib/clock.ts'
import type { Hardware } from '../../../src/sandbox/hardware.ts'
import { State } from '../../../src/talos/api/gen/cosi/state_pb.js'
import {
  MachineService,
  NetstatRequest_Filter,
} from '../../../src/talos/api/gen/machine/machine_pb.js'
import { TalosBed } from './talos-bed.ts'
import { collect, failureOf } from './talos-client.ts'

const { method } = MachineService
const status = {
  namespace: 'runtime',
  type: 'MachineStatuses.runtime.talos.dev',
  id: 'machine',
}
let bed: TalosBed
let machine: Hardware

beforeEach(async () => {
  bed = new TalosBed({ clock: createClock(100) })
  machine = await bed.configured('cp-1', 'controlplane', 'v1.13.0')
  await bed.client(machine).unary(method.bootstrap, {})
})

afterEach(async () => {
  await bed.close()
  expect(bed.world.contractErrors).toEqual([])
})

const textOf = (pieces: readonly { bytes: Uint8Array }[]) =>
  Buffer.concat(pieces.map(({ bytes }) => bytes)).toString()

describe('to look around', () => {
  const reads = {
    dmesg: () => collect(bed.client(machine, ['os:reader']).stream(method.dmesg, {})),
    list: () => collect(bed.client(machine, ['os:reader']).stream(method.list, { root: '/' })),
    diskUsage: () => collect(bed.client(machine, ['os:reader']).stream(method.diskUsage, {})),
    netstat: () => bed.client(machine, ['os:reader']).unary(method.netstat, {}),
    processes: () => bed.client(machine, ['os:reader']).unary(method.processes, {}),
    mounts: () => bed.client(machine, ['os:reader']).unary(method.mounts, {}),
    logsContainers: () => bed.client(machine, ['os:reader']).unary(method.logsContainers, {}),
  }

  test.for(Object.entries(reads))('os:reader is enough: %s', async ([, read]) => {
    expect(await read()).toBeTruthy()
  })

  test('but not for packets, nor for what is in a file', async () => {
    const reader = bed.client(machine, ['os:reader'])
    const denied = 'PERMISSION_DENIED: not authorized'
    expect(await failureOf(collect(reader.stream(method.packetCapture, {})))).toBe(denied)
    expect(await failureOf(collect(reader.stream(method.read, { path: '/' })))).toBe(denied)
    expect(
      await failureOf(
        collect(
          bed.client(machine, ['os:operator']).stream(method.packetCapture, { interface: 'x' }),
        ),
      ),
    ).toBe('NOT_FOUND: interface "x" not found')
  })
})

test("the kernel's log tells what has happened, and continues with what does", async () => {
  const client = bed.client(machine)
  expect(textOf(await collect(client.stream(method.dmesg, {})))).toMatch(
    /^user: warning: \[.*Z\]: \[talos\] boot sequence: started$/m,
  )
  await bed.until('etcd runs', () => bed.node('cp-1')?.etcd.running !== undefined)
  const following = client
    .stream(method.dmesg, { follow: true, tail: true })
    [Symbol.asyncIterator]()
  const next = following.next()
  await bed.until('somebody listens', () => {
    bed.node('cp-1')?.serviceChanged('etcd')
    return Promise.race([
      next.then(() => true),
      new Promise<boolean>((r) => setTimeout(r, 5, false)),
    ])
  })
  expect(textOf([(await next).value])).toContain('service[etcd](RUNNING)')
  await following.return?.()
})

test('a folder is listed as deep as is asked, and a path that is not there is an error', async () => {
  const client = bed.client(machine)
  const names = async (request: { root: string; recurse?: boolean; recursionDepth?: number }) =>
    (await collect(client.stream(method.list, request))).map(({ relativeName }) => relativeName)
  expect(await names({ root: '/etc' })).toEqual(['.', 'hostname', 'os-release'])
  expect(await names({ root: '/system' })).toEqual(['.', 'state'])
  expect(await names({ root: '/system', recurse: true })).toEqual([
    '.',
    'state',
    'state/config.yaml',
  ])
  expect(await failureOf(collect(client.stream(method.list, { root: '/no' })))).toBe(
    'UNKNOWN: lstat /no: no such file or directory',
  )
})

test('what files take is told in sums, those of folders after what is in them', async () => {
  const client = bed.client(machine)
  const usage = await collect(
    client.stream(method.diskUsage, { paths: ['/etc'], all: true, recursionDepth: 2 }),
  )
  expect(usage.map(({ name }) => name)).toEqual(['/etc/os-release', '/etc/hostname', '/etc'])
  const [release, hostname, folder] = usage
  expect(folder?.size).toBe(4_096n + (release?.size ?? 0n) + (hostname?.size ?? 0n))
  const large = await collect(
    client.stream(method.diskUsage, {
      paths: ['/etc'],
      all: true,
      recursionDepth: 2,
      threshold: 1_000n,
    }),
  )
  expect(large.map(({ name }) => name)).toEqual(['/etc'])
})

test('sockets are those of the services that run', async () => {
  await bed.until('etcd runs', () => bed.node('cp-1')?.etcd.running !== undefined)
  const ports = async (filter: NetstatRequest_Filter) => {
    const request = { filter, feature: { pid: true } }
    const { messages } = await bed.client(machine).unary(method.netstat, request)
    return messages[0]?.connectrecord.map(
      ({ localport, process }) => `${localport} ${process?.name}`,
    )
  }
  expect(await ports(NetstatRequest_Filter.LISTENING)).toEqual(
    expect.arrayContaining(['50000 apid', '2379 etcd', '50001 trustd']),
  )
  expect(await ports(NetstatRequest_Filter.CONNECTED)).toEqual([])
})

test('a node knows its kinds of resources by their short names', async () => {
  const request = { namespace: 'meta', type: 'ResourceDefinitions.meta.cosi.dev' }
  const found = await collect(bed.client(machine, ['os:reader']).stream(State.method.list, request))
  const yaml = found.find(({ resource }) => resource?.metadata?.id.startsWith('machinestatuses.'))
  expect(yaml?.resource?.spec?.yamlSpec).toMatch(
    /aliases:\n +- machinestatuses\n +- machinestatus\n +- ms\n/,
  )
})

test('its status is recreated with each start, and keeps its age until then', async () => {
  const created = async () => {
    const { resource } = await bed.client(machine).unary(State.method.get, status)
    return (
      Number(resource?.metadata?.created?.seconds) * 1e9 + (resource?.metadata?.created?.nanos ?? 0)
    )
  }
  const first = await created()
  expect(await created()).toBe(first)
  const { bootId } = machine
  await bed.client(machine).unary(method.reboot, {})
  await bed.until(
    'it is back',
    () => machine.bootId !== bootId && bed.node('cp-1')?.api.listening === true,
  )
  expect(await created()).not.toBe(first)
})
