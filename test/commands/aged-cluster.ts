import { expect } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import { openSession } from '../../src/run/hetzner-talos/cluster-session.ts'
import { reissueAuthorities } from '../../src/talos/config/reissue-authorities.ts'
import {
  formatSecretsBundle,
  parseSecretsBundle,
} from '../../src/talos/config/secrets-bundle-yaml.ts'
import { fixedKeyMaker } from '../talos/fixed-key-maker.ts'
import { type Bench, startBench } from './harness.ts'

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
