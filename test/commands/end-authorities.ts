import { createClock } from '../../src/lib/clock.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import { openSession } from '../../src/run/hetzner-talos/cluster-session.ts'
import { talosApi } from '../../src/talos/api/talos-api.ts'
import { TalosClient } from '../../src/talos/api/talos-client.ts'
import { encodeText } from '../../src/talos/config/base64.ts'
import { reissueAuthorities } from '../../src/talos/config/reissue-authorities.ts'
import {
  formatSecretsBundle,
  parseSecretsBundle,
} from '../../src/talos/config/secrets-bundle-yaml.ts'
import { mintTalosCredentials } from '../../src/talos/config/talosconfig.ts'
import { readRunningConfig } from '../../src/talos/running-config.ts'
import { fixedKeyMaker } from '../talos/fixed-key-maker.ts'
import type { Bench } from './harness.ts'

const day = 86_400_000
const lifetime = 3_650 * day

export const yesterday = () => Date.now() - day

const authorityNames = ['os', 'k8s', 'k8sAggregator', 'etcd'] as const
type AuthorityName = (typeof authorityNames)[number]

/**
 * Lets the authorities of a running cluster end at this time, in milliseconds since the epoch: secrets and nodes get
 * certificates over the same keys with such dates, as if ten years had passed, or would have by then. Returns a way to
 * ask a node as whoever has a certificate of such a key.
 */
export async function endAuthorities(
  bench: Pick<Bench, 'sandbox' | 'run'>,
  file: ClusterFile,
  end: number,
  names: readonly AuthorityName[] = authorityNames,
) {
  const { world } = bench.sandbox
  const context = bench.run()
  await using session = await openSession(context, file)
  const { store } = session
  await store.lock({ waitMs: 0 })
  await store.read()
  const secrets = parseSecretsBundle((await store.readSecrets()) ?? '', fixedKeyMaker)
  const environment = { keys: fixedKeyMaker, random: context.random, clock: createClock() }
  const credentials = await mintTalosCredentials(
    secrets,
    { roles: ['os:admin'], hours: 1 },
    environment,
  )
  const clock = { now: () => end - lifetime, sleep: async () => undefined }
  const reissued = reissueAuthorities(secrets, { ...environment, clock })
  const certs = { ...secrets.certs }
  for (const name of names) certs[name] = reissued.certs[name]
  const ended = { ...secrets, certs }
  const swap = (text: string) =>
    names.reduce(
      (all, name) =>
        all.replaceAll(encodeText(secrets.certs[name].crt), encodeText(ended.certs[name].crt)),
      text,
    )
  const nodeConfigs: Record<string, string> = {}
  for (const node of session.store.known?.inventory.nodes ?? []) {
    nodeConfigs[node.name] = swap((await store.readNodeConfig(node.name)) ?? '')
  }
  const detail = { until: new Date(end).toISOString() }
  await store.update(
    () => ({
      secrets: formatSecretsBundle(ended),
      replacesSecrets: true,
      nodeConfigs,
      facts: [{ fact: 'authorities-renewed', detail }],
    }),
    'Let the authorities end',
  )
  const machines = [...world.machines.values()]
  for (const { name, publicIp = '' } of machines) {
    using client = new TalosClient({ address: publicIp, credentials })
    const running = await readRunningConfig(talosApi(client))
    if (running === undefined) throw new Error(`${name} runs no config`)
    await talosApi(client).machine.applyConfiguration(swap(running.active), { mode: 'no-reboot' })
  }
  const ca = ended.certs.os.crt
  return {
    address: machines[0]?.publicIp ?? '',
    credentials: { ...credentials, ca },
    ask: (client: TalosClient) => talosApi(client).machine.version(),
  }
}
