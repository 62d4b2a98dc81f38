import { stringify } from 'yaml'
import { createClock } from '../../src/lib/clock.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { isJsonObject } from '../../src/lib/json.ts'
import { seededRandom } from '../../src/lib/random.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import { openSession } from '../../src/run/hetzner-talos/cluster-session.ts'
import { rollBack } from '../../src/sandbox/talos/installer.ts'
import { talosState } from '../../src/sandbox/talos/talos-state.ts'
import type { ApplyConfigurationOptions } from '../../src/talos/api/methods/machine-methods.ts'
import { talosApi } from '../../src/talos/api/talos-api.ts'
import { TalosClient } from '../../src/talos/api/talos-client.ts'
import { parseSecretsBundle } from '../../src/talos/config/secrets-bundle-yaml.ts'
import { mintTalosCredentials } from '../../src/talos/config/talosconfig.ts'
import { parseYamlDocuments } from '../../src/talos/config/yaml-documents.ts'
import { fixedKeyMaker } from '../talos/fixed-key-maker.ts'
import type { Bench } from './harness.ts'

/** The machine config that a node has in effect. */
export function runningConfig(
  { sandbox: { world } }: Pick<Bench, 'sandbox'>,
  name: string,
): string {
  return configOf({ world }, name, 'active')
}

/** The one that it booted with: what takes effect at boot alone is of this one. */
export function bootedConfig({ sandbox }: Pick<Bench, 'sandbox'>, name: string): string {
  return configOf(sandbox, name, 'booted')
}

function configOf(
  { world }: Pick<Bench['sandbox'], 'world'>,
  name: string,
  which: 'active' | 'booted',
): string {
  const node = [...talosState(world).nodes].find((one) => one.name === name)
  const text = node?.configs[which]?.text
  if (text === undefined) throw new Error(`${name} runs no config`)
  return text
}

/** The boot of each machine: another one after a reboot. */
export function bootIds({ sandbox: { world } }: Bench): Record<string, string> {
  return Object.fromEntries([...world.machines.values()].map(({ name, bootId }) => [name, bootId]))
}

/** Boots the other Talos of a node, as `talosctl rollback` by hand does. */
export async function bootOther({ sandbox: { world } }: Bench, name: string): Promise<void> {
  const guest = [...talosState(world).nodes].find((one) => one.name === name)
  const machine = [...world.machines.values()].find((one) => one.name === name)
  if (!guest || !rollBack(guest)) throw new Error(`${name} has no other Talos`)
  await machine?.powerOff()
  await machine?.powerOn()
}

/**
 * What somebody does with a talosconfig and `talosctl edit machineconfig`: the config is taken from the
 * node, its v1alpha1 document changed, and handed back, over mutual TLS.
 */
export async function editByHand(
  bench: Bench,
  file: ClusterFile,
  name: string,
  edit: (machine: JsonObject) => JsonObject,
  mode: NonNullable<ApplyConfigurationOptions['mode']> = 'no-reboot',
): Promise<void> {
  const documents = parseYamlDocuments(runningConfig(bench, name)).filter(isJsonObject)
  const edited = documents.map((document) => {
    const { machine } = document
    return isJsonObject(machine) ? { ...document, machine: edit(machine) } : document
  })
  const machine = [...bench.sandbox.world.machines.values()].find((one) => one.name === name)
  await using session = await openSession(bench.run(), file)
  await session.store.read()
  const secrets = parseSecretsBundle((await session.store.readSecrets()) ?? '', fixedKeyMaker)
  const credentials = await mintTalosCredentials(
    secrets,
    { roles: ['os:admin'], hours: 1 },
    { keys: fixedKeyMaker, random: seededRandom(77), clock: createClock() },
  )
  using client = new TalosClient({ address: machine?.publicIp ?? '', credentials })
  const text = edited.map((document) => stringify(document, { lineWidth: 0 })).join('---\n')
  await talosApi(client).machine.applyConfiguration(text, { mode })
}
