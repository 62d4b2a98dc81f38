import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mintAccess } from '../../src/commands/access/mint-access.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { rotateKeys } from '../../src/commands/keys/rotate-keys.ts'
import { readClusterFile } from '../../src/commands/modes/cluster-modes.ts'
import { makeIdentityFile, prepareRotation } from '../../src/commands/modes/prepare-rotation.ts'
import { exportState } from '../../src/commands/state/export-state.ts'
import { verifyState } from '../../src/commands/state/verify-state.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import { deriveSigningKey } from '../../src/store/trust/signing-key.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { withIdentities } from './key-bench.ts'
import { expectTidy, stateFiles } from './world-facts.ts'

let bench: Bench
let offline: string
let classic: ClusterFile

const fileWith = (state: { signer: readonly string[]; recipients: readonly string[] }) =>
  clusterFile({ workers: 0 }, { ...bare, state })

const holding = (...identities: readonly string[]) => withIdentities(bench.run(), identities)

/** What CI runs on a file: the plan of a pull request, which has no key, an apply, and the drift report. */
async function ci(file: ClusterFile, identity: string, changes: string[] = []): Promise<void> {
  const reader = { ...holding(), hetznerToken: bench.sandbox.endpoints.hcloud.readOnlyToken }
  const { plan } = await planCluster(reader, { file, verb: 'apply' })
  expect(plan.changes.map(({ key }) => key)).toEqual(changes)
  await applyCluster(holding(identity), { file })
  const drift = await planCluster(holding(identity), { file, verb: 'apply' })
  expect(drift.plan.changes).toEqual([])
  expect(drift.plan.findings.filter(({ severity }) => severity === 'error')).toEqual([])
  expect((await verifyState(holding(), file)).problems).toEqual([])
  await exportState(holding(), file)
}

beforeAll(async () => {
  bench = await startBench()
  offline = await generateX25519Identity()
  classic = fileWith({
    signer: [deriveSigningKey({ secret: bench.identity }).signer],
    recipients: [bench.recipient, await identityToRecipient(offline)],
  })
  await applyCluster(bench.run(), { file: classic })
})
afterAll(() => bench[Symbol.asyncDispose]())

it('a cluster goes over to post-quantum keys in the documented order, with CI green at each step', async () => {
  await ci(classic, bench.identity)
  const next = await makeIdentityFile(true)
  const secret = next.split('\n')[1] ?? ''
  const recipient = await identityToRecipient(secret)
  const prepared = await prepareRotation(readClusterFile(classic).spec, {
    present: bench.identity,
    next,
  })
  expect(prepared.state.recipients).toEqual([recipient])

  // The merge that the page asks for. The offline key, which the file cannot name beside it, still opens the state.
  const merged = fileWith(prepared.state)
  await mintAccess(holding(offline), { file: merged, hours: 1 })
  await ci(merged, bench.identity)
  const { plan } = await planCluster(holding(), { file: merged, verb: 'apply' })
  expect(plan.findings).toContainEqual(
    expect.objectContaining({ severity: 'warning', hint: expect.stringContaining('rotate') }),
  )
  const between = (await stateFiles(bench))['demo/secrets.sops.yaml'] ?? ''
  expect(between).toContain(bench.recipient)

  await rotateKeys(holding(bench.identity, secret), { file: merged })
  const after = await stateFiles(bench)
  for (const [path, text] of Object.entries(after)) {
    if (path.endsWith('.sops.yaml')) expect(new Set(text.match(/recipient: \S+/g)).size).toBe(1)
    expect(text).not.toContain(bench.recipient)
  }
  // The environment has the new key from now on; a queued run with the former one stops.
  await ci(merged, secret)
  await expect(
    mintAccess(holding(bench.identity), { file: merged, hours: 1 }),
  ).rejects.toMatchObject({ code: 'state-undecryptable' })
  // Last: the holder of the offline key makes one of the new kind, which the file names.
  const spare = (await makeIdentityFile(true)).split('\n')[1] ?? ''
  const recipients = [recipient, await identityToRecipient(spare)]
  const whole = fileWith({ ...prepared.state, recipients })
  await ci(whole, secret, ['secrets/demo'])
  await rotateKeys(holding(secret), { file: whole })
  await mintAccess(holding(spare), { file: whole, hours: 1 })
  await expectTidy(bench)
})

it('a file that changes the kind without a key to hand over to is refused', async () => {
  const recipient = await identityToRecipient((await makeIdentityFile(true)).split('\n')[1] ?? '')
  const signer = [deriveSigningKey({ secret: bench.identity }).signer]
  const file = fileWith({ signer, recipients: [recipient] })
  await expect(applyCluster(bench.run(), { file })).rejects.toMatchObject({
    code: 'identity-invalid',
    hint: expect.stringContaining('rotate --prepare'),
  })
})
