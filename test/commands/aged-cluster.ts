import { expect } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { createClock } from '../../src/lib/clock.ts'
import { type ClusterFile, openSession } from '../../src/run/cluster-session.ts'
import { talosApi } from '../../src/talos/api/talos-api.ts'
import { TalosClient } from '../../src/talos/api/talos-client.ts'
import { encodeText } from '../../src/talos/config/base64.ts'
import { reissueAuthorities } from '../../src/talos/config/reissue-authorities.ts'
import {
  formatSecretsBundle,
  parseSecretsBundle,
} from '../../src/talos/config/secrets-bundle-yaml.ts'
import { mintTalosCredentials } from '../../src/talos/config/talosconfig.ts'
import { fixedKeyMaker } from '../talos/fixed-key-maker.ts'
import { type Bench, startBench } from './harness.ts'
import { runningConfig } from './node-hands.ts'

const day = 86_400_000
const lifetime = 3_650 * day
/** In how many days authorities end that an apply renews. */
const halfYear = 182

/**
 * A cluster whose certificate authorities end in `days` days: its secrets are as a version of this program left them
 * ten years ago that did not note their end, and everything else is of today. TLS stacks go by the wall's time.
 */
export async function startAgedBench(file: ClusterFile, days: number): Promise<Bench> {
  const bench = await startBench()
  await applyCluster(bench.run(), { file, stage: 'infra' })
  await ageSecrets(bench, file, days)
  const configured = applyCluster(bench.run(), { file })
  // The journal hides what ends soon until the nodes have it: an apply would renew it at once.
  if (days < halfYear) await expect(configured).rejects.toMatchObject({ code: 'plan-moved' })
  else await configured
  await noteEnd(bench, file, Date.now() + days * day)
  return bench
}

const authorityNames = ['os', 'k8s', 'k8sAggregator', 'etcd'] as const
type AuthorityName = (typeof authorityNames)[number]

/**
 * Lets the authorities of a running cluster end `days` days ago: secrets and nodes get certificates over the same keys
 * with such dates, as if ten years had passed. Returns a way to ask a node as whoever still believes the former ones.
 */
export async function endAuthorities(
  bench: Pick<Bench, 'sandbox' | 'run'>,
  file: ClusterFile,
  days: number,
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
  const now = () => Date.now() - days * day - lifetime
  const clock = { now, sleep: async () => undefined }
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
  await store.update(
    () => ({
      secrets: formatSecretsBundle(ended),
      replacesSecrets: true,
      nodeConfigs,
      facts: [{ fact: 'authorities-renewed', detail: untilOf(now() + lifetime) }],
    }),
    'Let the authorities end',
  )
  const machines = [...world.machines.values()]
  for (const { name, publicIp = '' } of machines) {
    using client = new TalosClient({ address: publicIp, credentials })
    const text = swap(runningConfig(bench, name))
    await talosApi(client).machine.applyConfiguration(text, { mode: 'no-reboot' })
  }
  const ca = ended.certs.os.crt
  return {
    address: machines[0]?.publicIp ?? '',
    credentials: { ...credentials, ca },
    ask: (client: TalosClient) => talosApi(client).machine.version(),
  }
}

async function ageSecrets(bench: Bench, file: ClusterFile, days: number): Promise<void> {
  const context = bench.run()
  await using session = await openSession(context, file)
  const { store } = session
  await store.lock({ waitMs: 0 })
  await store.read()
  const secrets = parseSecretsBundle((await store.readSecrets()) ?? '', fixedKeyMaker)
  const now = () => Date.now() + days * day - lifetime
  const clock = { now, sleep: async () => undefined }
  const aged = reissueAuthorities(secrets, { keys: fixedKeyMaker, random: context.random, clock })
  const detail = untilOf(Date.now() + lifetime)
  await store.update(
    () => ({
      secrets: formatSecretsBundle(aged),
      replacesSecrets: true,
      facts: [{ fact: 'secrets-minted', detail }],
    }),
    'Age the secrets',
  )
}

async function noteEnd(bench: Bench, file: ClusterFile, end: number): Promise<void> {
  await using session = await openSession(bench.run(), file)
  await session.store.lock({ waitMs: 0 })
  await session.store.read()
  await session.store.record({ fact: 'authorities-renewed', detail: untilOf(end) })
}

function untilOf(end: number): { readonly until: string } {
  return { until: new Date(end).toISOString() }
}
