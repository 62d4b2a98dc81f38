import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mintAccess } from '../../src/commands/access/mint-access.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { destroyCluster } from '../../src/commands/cluster/destroy-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { recoverState } from '../../src/commands/state/recover-state.ts'
import { verifyState } from '../../src/commands/state/verify-state.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { deriveSigningKey } from '../../src/store/trust/signing-key.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { withIdentities } from './key-bench.ts'
import { refs, setBranch } from './world-facts.ts'

const branch = 'hcloud-talos'
const patches = [{ machine: { sysctls: { 'kernel.domainname': `\${secret:domain}` } } }]
const domain = 'domain-of-a-secret'

let bench: Bench
beforeAll(async () => {
  bench = await startBench()
})
afterAll(() => bench[Symbol.asyncDispose]())

const fileWith = (state: JsonObject, more: JsonObject = {}) =>
  clusterFile({ workers: 0 }, { ...bare, talos: { version: 'v1.13.9', patches }, state, ...more })
const head = async () => (await refs(bench))[branch] ?? ''

function run(environment: Record<string, string> = {}) {
  const context = bench.run()
  const { state } = context
  return { ...context, state: { ...state, environment: { ...state.environment, ...environment } } }
}

it('a recovery continues from the secrets of the state that it replaces, not from a predecessor of that name, and without the identity of before', async () => {
  const signerOf = (secret: string) => deriveSigningKey({ secret }).signer
  const offline = await identityToRecipient(await generateX25519Identity())
  const first = signerOf(bench.identity)
  const file = fileWith({ signer: [first], recipients: [offline] })
  const given = () => run({ HCLOUD_TALOS_SECRET_DOMAIN: domain })
  await applyCluster(given(), { file })
  const predecessor = await head()
  await destroyCluster(run(), { file, confirm: async () => true })
  await applyCluster(given(), { file })
  const { talosconfig: text = '' } = await mintAccess(run(), { file, hours: 1 })
  const wayIn = { kind: 'talosconfig', text } as const
  const newest = await head()

  await setBranch(bench, predecessor)
  await recoverState(given(), { file, wayIn, replaces: true })
  expect((await verifyState(run(), file)).problems).toEqual([])
  expect((await planCluster(run(), { file, verb: 'apply' })).plan.changes).toEqual([])

  // The branch is forced back behind what Hetzner remembers: nothing of it is the newest, and its secrets are opened.
  await setBranch(bench, newest)
  await recoverState(run(), { file, wayIn, replaces: true })
  expect((await planCluster(run(), { file, verb: 'apply' })).plan.changes).toEqual([])

  const sibling = fileWith(
    { signer: [first], recipients: [offline], alongside: ['demo'] },
    { clusterName: 'beside' },
  )
  await applyCluster(given(), { file: sibling })
  const next = await generateX25519Identity()
  const after = fileWith({
    signer: [first, signerOf(next)],
    recipients: [await identityToRecipient(next), offline],
  })
  const recoverer = () => withIdentities(given(), [next])
  await recoverState(recoverer(), { file: after, wayIn, replaces: true })
  expect((await verifyState(recoverer(), after)).problems).toEqual([])
  expect((await planCluster(recoverer(), { file: after, verb: 'apply' })).plan.changes).toEqual([])
  expect((await verifyState(run(), sibling)).problems).toEqual([])
  expect((await planCluster(run(), { file: sibling, verb: 'apply' })).plan.changes).toEqual([])
})
