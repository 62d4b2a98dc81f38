import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mintAccess } from '../../src/commands/access/mint-access.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { renderPlanMarkdown } from '../../src/plan/render-markdown.ts'
import { readClusterFile } from '../../src/run/hetzner-talos/cluster-session.ts'
import { openStateStore } from '../../src/run/open-state-store.ts'
import { deriveSigningKey } from '../../src/store/trust/signing-key.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { withIdentities } from './key-bench.ts'
import { changesDuring, expectTidy, inventoryOf, refs } from './world-facts.ts'

let bench: Bench
/** Kept offline: one from the beginning, one that joins. */
let former: string
let joining: string

beforeAll(async () => {
  bench = await startBench()
  former = await generateX25519Identity()
  joining = await generateX25519Identity()
  await applyCluster(bench.run(), { file: await fileFor(bench.identity, former) })
})
afterAll(() => bench[Symbol.asyncDispose]())

async function fileFor(...identities: readonly string[]) {
  const recipients = await Promise.all(identities.map(identityToRecipient))
  const signer = deriveSigningKey({ secret: bench.identity }).signer
  return clusterFile({ workers: 0 }, { ...bare, state: { signer, recipients } })
}

type File = Awaited<ReturnType<typeof fileFor>>

/** With the identity and without: both say the same. */
async function plansOf(file: File) {
  const plans = [bench.run(), withIdentities(bench.run(), [])].map((context) =>
    planCluster(context, { file, verb: 'apply' }),
  )
  const [withKey, without] = await Promise.all(plans)
  if (!withKey || !without) throw new Error('two plans')
  expect(without.plan.digest).toBe(withKey.plan.digest)
  return withKey.plan
}

it('who is added opens everything once an apply has sealed it again, and the plan says so', async () => {
  const file = await fileFor(bench.identity, former, joining)
  const added = await identityToRecipient(joining)
  const plan = await plansOf(file)
  expect(plan.changes).toMatchObject([
    {
      key: 'secrets/demo',
      action: 'update',
      risk: 'live',
      fields: [{ path: `recipients.${added}`, before: undefined, after: 'can read the secrets' }],
    },
  ])
  expect(renderPlanMarkdown(plan)).toContain(added)
  const offline = withIdentities(bench.run(), [joining])
  await expect(mintAccess(offline, { file, hours: 1 })).rejects.toMatchObject({
    code: 'state-undecryptable',
  })

  await applyCluster(bench.run(), { file })
  await mintAccess(offline, { file, hours: 1 })
  const store = await openStateStore(offline, readClusterFile(file).spec)
  const generation = await store.read()
  for (const node of generation?.nodeConfigs ?? []) {
    expect(await store.readNodeConfig(node)).toContain('machine:')
  }
  await store.close()
  const before = await refs(bench)
  expect((await plansOf(file)).changes).toEqual([])
  expect(await refs(bench)).toEqual(before)
  await expectTidy(bench)
})

it('who is taken out opens nothing new, and the plan says what stays readable', async () => {
  const file = await fileFor(bench.identity, joining)
  const removed = await identityToRecipient(former)
  const plan = await plansOf(file)
  expect(plan.changes).toMatchObject([
    {
      key: 'secrets/demo',
      fields: [{ path: `recipients.${removed}`, before: 'can read the secrets', after: undefined }],
      reason: expect.stringContaining('`hcloud-talos revoke`'),
    },
  ])
  expect(renderPlanMarkdown(plan)).toContain('history of the branch')
  await applyCluster(bench.run(), { file })
  const dropped = withIdentities(bench.run(), [former])
  await expect(mintAccess(dropped, { file, hours: 1 })).rejects.toMatchObject({
    code: 'state-undecryptable',
  })
  await mintAccess(withIdentities(bench.run(), [joining]), { file, hours: 1 })
  expect((await plansOf(file)).changes).toEqual([])
})

it('how much of a config is encrypted changes for all of them', async () => {
  const plain = await fileFor(bench.identity, joining)
  const spec = JSON.parse(plain.text)
  const file = {
    ...plain,
    text: JSON.stringify({ ...spec, state: { ...spec.state, encrypt: 'all' } }),
  }
  const plan = await plansOf(file)
  expect(plan.changes).toMatchObject([
    { key: 'secrets/demo', fields: [{ path: 'encrypt', before: 'secrets', after: 'all' }] },
  ])
  await applyCluster(bench.run(), { file })
  expect((await plansOf(file)).changes).toEqual([])
  expect(JSON.stringify(await inventoryOf(bench))).not.toContain('hiddenFields')
  await applyCluster(bench.run(), { file: plain })
  expect((await plansOf(plain)).changes).toEqual([])
})

it('a plan alone seals nothing', async () => {
  const file = await fileFor(bench.identity, former, joining)
  const before = await refs(bench)
  expect(await changesDuring(bench.sandbox.world, () => plansOf(file))).toEqual([])
  expect(await refs(bench)).toEqual(before)
})
