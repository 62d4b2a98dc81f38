import { afterEach, beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createClock } from '../../../src/lib/clock.ts'
import { State } from '../../../src/talos/api/gen/cosi/state_pb.js'
import {
  MachineService,
  ApplyConfigurationRequest_Mode as Mode,
} from '../../../src/talos/api/gen/machine/machine_pb.js'
import { createConfig } from './cluster-secrets.ts'
import { createShapedConfig } from './shaped-config.ts'
import { TalosBed } from './talos-bed.ts'
import { failureOf, type TalosClient } from './talos-client.ts'

const { method } = MachineService
let bed: TalosBed

beforeEach(() => {
  bed = new TalosBed({ clock: createClock(1_000) })
})

afterEach(async () => {
  await bed.close()
  expect(bed.world.contractErrors).toEqual([])
})

function config(machine: Record<string, unknown> = {}): Buffer {
  return Buffer.from(createConfig('controlplane', bed.secrets, { machine }))
}

async function apply(client: TalosClient, data: Buffer, mode: Mode, dryRun = false) {
  const { messages } = await client.unary(method.applyConfiguration, { data, mode, dryRun })
  return messages[0]
}

/** The config in effect: YAML in a YAML string. */
async function activeConfig(client: TalosClient) {
  const request = { namespace: 'config', type: 'MachineConfigs.config.talos.dev', id: 'v1alpha1' }
  const { resource } = await client.unary(State.method.get, request)
  return parse(parse(resource?.spec?.yamlSpec ?? ''))
}

test('before 1.13 maintenance mode takes no mode that belongs to a running node', async () => {
  const machine = await bed.boot('cp-1', { version: 'v1.11.0' })
  const anyone = bed.anyone(machine)
  expect(await failureOf(apply(anyone, config(), Mode.STAGED))).toBe(
    "UNIMPLEMENTED: apply configuration --mode='staged' is not supported in maintenance mode",
  )
  expect(await failureOf(apply(anyone, Buffer.from('nodes: 1'), Mode.AUTO))).toMatch(
    /^UNKNOWN: failed to parse config: /,
  )
  expect(await failureOf(apply(anyone, config({ type: 'x' }), Mode.AUTO))).toBe(
    'INVALID_ARGUMENT: configuration validation failed: 1 error occurred:\n\t* unknown machine type "x"\n\n',
  )
  const dry = await apply(anyone, config(), Mode.AUTO, true)
  expect(dry?.modeDetails).toContain('Node is running in maintenance mode')
  expect(bed.node('cp-1')).toBeUndefined()
})

test('a change that can be is applied at once, and reaches Kubernetes', async () => {
  const machine = await bed.configured('cp-1')
  const admin = bed.client(machine)
  await admin.unary(method.bootstrap, {})
  await bed.until('running', () => bed.node('cp-1')?.stage.name === 'running')
  const { bootId } = machine
  const applied = await apply(admin, config({ nodeLabels: { zone: 'a' } }), Mode.AUTO)
  expect(applied).toMatchObject({
    mode: Mode.NO_REBOOT,
    modeDetails: 'Applied configuration without a reboot',
  })
  expect((await activeConfig(admin)).machine.nodeLabels).toEqual({ zone: 'a' })
  await bed.until('labelled', () => bed.kubernetes[0]?.nodes.get('cp-1')?.labels['zone'] === 'a')
  expect(machine.bootId).toBe(bootId)
})

test('since 1.14 no change is refused for its reboot, and no node reboots by itself', async () => {
  const machine = await bed.configured('cp-1', 'controlplane', 'v1.14.1')
  const admin = bed.client(machine)
  const { bootId } = machine
  for (const mode of [Mode.NO_REBOOT, Mode.AUTO]) {
    const applied = await apply(admin, config({ env: { A: String(mode) } }), mode)
    expect(applied?.mode).toBe(Mode.NO_REBOOT)
  }
  expect(machine.bootId).toBe(bootId)
})

test('a config of the other shape is taken as it runs, and what is mounted by it waits for a boot', async () => {
  const machine = await bed.configured('cp-1', 'controlplane', 'v1.14.1')
  const admin = bed.client(machine)
  const shaped = Buffer.from(createShapedConfig('controlplane', bed.secrets))
  expect(await apply(admin, shaped, Mode.NO_REBOOT)).toMatchObject({ mode: Mode.NO_REBOOT })
  const kinds = (which: 'active' | 'booted') =>
    bed.node('cp-1')?.configs[which]?.documents.others.map(({ kind }) => kind)
  expect(kinds('active')).toContain('VolumeConfig')
  expect(kinds('booted')).toEqual([])
  await machine.powerCycle()
  await machine.settled()
  expect(kinds('booted')).toContain('VolumeConfig')
})

test('a change that needs a reboot reboots, or is refused where the mode forbids that', async () => {
  const machine = await bed.configured('cp-1')
  const admin = bed.client(machine)
  const changed = config({ env: { A: 'b' } })
  expect(await failureOf(apply(admin, changed, Mode.NO_REBOOT))).toMatch(
    /^INVALID_ARGUMENT: this config change can't be applied in immediate mode/,
  )
  const { bootId } = machine
  const dry = await apply(admin, changed, Mode.AUTO, true)
  expect(dry?.modeDetails).toMatch(/^Dry run summary:\nApplied configuration with a reboot/)
  const applied = await apply(admin, changed, Mode.AUTO)
  expect(applied?.mode).toBe(Mode.REBOOT)
  await bed.until('rebooted', () => machine.bootId !== bootId)
  await bed.until('back', async () => {
    const active = await activeConfig(admin).catch(() => undefined)
    return active?.machine.env?.A === 'b'
  })
})

test('a staged change waits for the next boot', async () => {
  const machine = await bed.configured('cp-1')
  const admin = bed.client(machine)
  await apply(admin, config({ nodeLabels: { zone: 'b' } }), Mode.STAGED)
  expect((await activeConfig(admin)).machine.nodeLabels).toBeUndefined()
  await machine.powerCycle()
  await machine.settled()
  expect((await activeConfig(admin)).machine.nodeLabels).toEqual({ zone: 'b' })
})

test('a change on trial is taken back when nobody confirms it', async () => {
  const machine = await bed.configured('cp-1')
  const admin = bed.client(machine)
  await admin.unary(method.applyConfiguration, {
    data: config({ nodeLabels: { zone: 'c' } }),
    mode: Mode.TRY,
    tryModeTimeout: { seconds: 30n },
  })
  await bed.until('taken back', async () => {
    return (await activeConfig(admin)).machine.nodeLabels === undefined
  })
})

test('a running node wants a whole config', async () => {
  const machine = await bed.configured('cp-1')
  const partial = Buffer.from('apiVersion: v1alpha1\nkind: HostnameConfig\nauto: stable\n')
  expect(await failureOf(apply(bed.client(machine), partial, Mode.AUTO))).toMatch(
    /doesn't contain v1alpha1 config/,
  )
})
