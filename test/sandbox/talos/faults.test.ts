import { fromBinary } from '@bufbuild/protobuf'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createClock } from '../../../src/lib/clock.ts'
import { State } from '../../../src/talos/api/gen/cosi/state_pb.js'
import { ImageService } from '../../../src/talos/api/gen/machine/image_pb.js'
import { LifecycleService } from '../../../src/talos/api/gen/machine/lifecycle_pb.js'
import {
  MachineService,
  MachineStatusEventSchema,
  SequenceEventSchema,
  MachineStatusEvent_MachineStage as Stage,
} from '../../../src/talos/api/gen/machine/machine_pb.js'
import { createConfig } from './cluster-secrets.ts'
import { TalosBed } from './talos-bed.ts'
import { collect, failureOf } from './talos-client.ts'

const { method } = MachineService
let bed: TalosBed

beforeEach(() => {
  bed = new TalosBed({ clock: createClock(1_000) })
})

afterEach(async () => {
  await bed.close()
  expect(bed.world.contractErrors).toEqual([])
})

test('a node may refuse every config', async () => {
  const machine = await bed.boot('cp-1')
  bed.talos.faults.refuseConfig('cp-1', 'no such disk')
  const data = Buffer.from(createConfig('controlplane', bed.secrets))
  const apply = () => bed.anyone(machine).unary(method.applyConfiguration, { data, mode: 1 })
  expect(await failureOf(apply())).toBe('INVALID_ARGUMENT: no such disk')
  bed.talos.faults.release('cp-1')
  await apply()
})

test('a node may never get further than booting', async () => {
  bed.talos.faults.stuckBooting('cp-1')
  const machine = await bed.configured('cp-1')
  const admin = bed.client(machine)
  expect(await failureOf(admin.unary(method.bootstrap, {}))).toBe(
    'FAILED_PRECONDITION: time is not in sync yet',
  )
  expect(bed.node('cp-1')?.stage.name).toBe('booting')
})

test('an answer may be lost after its effect', async () => {
  const machine = await bed.configured('cp-1')
  bed.talos.faults.loseAnswer({ node: 'cp-1', method: 'Bootstrap' })
  const admin = bed.client(machine)
  expect(await failureOf(admin.unary(method.bootstrap, {}))).toMatch(/^UNAVAILABLE/)
  expect(await failureOf(admin.unary(method.bootstrap, {}))).toMatch(/^ALREADY_EXISTS/)
})

test('a call may be refused, without an effect, until the node is released', async () => {
  const machine = await bed.configured('cp-1')
  const fault = { node: 'cp-1', method: 'Bootstrap', times: 5 }
  bed.talos.faults.failCall(fault, 'not now')
  const admin = bed.client(machine)
  expect(await failureOf(admin.unary(method.bootstrap, {}))).toBe('UNKNOWN: not now')
  bed.talos.faults.release('cp-1')
  await admin.unary(method.bootstrap, {})
})

test('a fault of the whole world hits a call by its name', async () => {
  const machine = await bed.configured('cp-1')
  bed.world.faults.inject({ kind: 'drop-before', front: 'talos', route: 'Bootstrap /cp-1' })
  const admin = bed.client(machine)
  expect(await failureOf(admin.unary(method.bootstrap, {}))).toMatch(/^UNAVAILABLE/)
  bed.world.faults.inject({ kind: 'drop-after', front: 'talos', route: 'Bootstrap /cp-1' })
  expect(await failureOf(admin.unary(method.bootstrap, {}))).toMatch(/^UNAVAILABLE/)
  expect(await failureOf(admin.unary(method.bootstrap, {}))).toMatch(/^ALREADY_EXISTS/)
  expect(bed.world.requests.filter(({ method: name }) => name === 'Bootstrap')).toHaveLength(3)
})

test('an apid may hang, and answers what it was asked once it does not', async () => {
  const machine = await bed.configured('cp-1')
  bed.talos.faults.hang('cp-1')
  const admin = bed.client(machine)
  expect(await failureOf(admin.unary(method.version, {}, { deadlineMs: 100 }))).toMatch(
    /^DEADLINE_EXCEEDED/,
  )
  const pending = admin.unary(method.version, {})
  await bed.until('it was asked', () => bed.world.requests.at(-1)?.method === 'Version')
  bed.talos.faults.release('cp-1')
  await pending
})

test.each([
  ['v1.13.1', 1],
  ['v1.14.1', 7],
])('an installer of %s may fail with %i, and leaves the node as it was', async (to, code) => {
  const machine = await bed.configured('cp-1', 'controlplane', 'v1.13.0')
  bed.talos.faults.failUpgrade('cp-1')
  const admin = bed.client(machine)
  const imageRef = `factory.talos.dev/installer/${'a'.repeat(64)}:${to}`
  const containerd = { driver: 0, namespace: 1 }
  const source = { imageName: imageRef }
  await collect(admin.stream(ImageService.method.pull, { containerd, imageRef }))
  const upgrade = () =>
    collect(admin.stream(LifecycleService.method.upgrade, { containerd, source }))
  expect((await upgrade()).at(-1)?.progress?.response.value).toBe(code)
  expect(machine.disk.image).toMatchObject({ version: 'v1.13.0' })
  expect((await upgrade()).at(-1)?.progress?.response.value).toBe(0)
})

test('an old upgrade that fails says so in its events, and the node comes back as it was', async () => {
  const machine = await bed.configured('cp-1', 'controlplane', 'v1.11.0')
  const admin = bed.client(machine)
  await admin.unary(method.bootstrap, {})
  await bed.until('running', () => bed.node('cp-1')?.stage.name === 'running')
  bed.talos.faults.failUpgrade('cp-1')
  const { bootId } = machine
  const image = `factory.talos.dev/installer/${'a'.repeat(64)}:v1.12.0`
  const events = admin.stream(method.events, {})
  await events[Symbol.asyncIterator]().next()
  const { messages } = await admin.unary(method.upgrade, { image })
  const actorId = messages[0]?.actorId
  const errors: string[] = []
  try {
    for await (const { data, actorId: by } of events) {
      if (by !== actorId || data?.typeUrl !== 'talos/runtime/machine.SequenceEvent') continue
      const { error } = fromBinary(SequenceEventSchema, data.value)
      if (error !== undefined) errors.push(error.message)
    }
  } catch {
    // The node went down; its events end with it.
  }
  expect(errors).toEqual(['task upgrade failed: exit code 1: failed to write the boot loader'])
  await bed.until('rebooted', () => machine.bootId !== bootId)
  await bed.until('running', () => bed.node('cp-1')?.stage.name === 'running')
  expect(machine.disk.image).toMatchObject({ version: 'v1.11.0' })
})

test('events tell how a node becomes ready', async () => {
  const machine = await bed.configured('cp-1')
  const admin = bed.client(machine)
  const stages: string[] = []
  const events = admin.stream(method.events, { tailEvents: -1 })
  await admin.unary(method.bootstrap, {})
  for await (const { data } of events) {
    if (data?.typeUrl !== 'talos/runtime/machine.MachineStatusEvent') continue
    const { stage, status } = fromBinary(MachineStatusEventSchema, data.value)
    stages.push(Stage[stage])
    if (stage === Stage.RUNNING && status?.ready) break
  }
  expect([...new Set(stages)]).toEqual(['MAINTENANCE', 'BOOTING', 'RUNNING'])
})

test('a watch begins with what is, and continues with what changes', async () => {
  const machine = await bed.configured('cp-1')
  const admin = bed.client(machine)
  const watched = admin.stream(State.method.watch, {
    namespace: 'runtime',
    type: 'Services.v1alpha1.talos.dev',
    apiVersion: 1,
    options: { bootstrapContents: true },
  })
  const seen: string[] = []
  for await (const { event } of watched) {
    for (const { resource, eventType } of event) {
      seen.push(`${eventType} ${resource?.metadata?.id ?? ''}`)
    }
    if (seen.at(-1) === '3 ') await admin.unary(method.bootstrap, {})
    if (seen.includes('0 kubelet')) break
  }
  expect(seen[0]).toBe('0 apid')
  expect(seen).toContain('0 etcd')
  const request = { namespace: 'runtime', type: 'Wishes.talos.dev', id: 'x' }
  expect(await failureOf(admin.unary(State.method.get, request))).toBe(
    'PERMISSION_DENIED: resource type "Wishes.talos.dev" is not supported',
  )
  const absent = { namespace: 'runtime', type: 'Services.v1alpha1.talos.dev', id: 'x' }
  expect(await failureOf(admin.unary(State.method.get, absent))).toMatch(/^NOT_FOUND/)
})
