import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mintAccess } from '../../src/commands/access/mint-access.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { compactState } from '../../src/commands/state/compact-state.ts'
import { exportState } from '../../src/commands/state/export-state.ts'
import { importState } from '../../src/commands/state/import-state.ts'
import { verifyState } from '../../src/commands/state/verify-state.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import { readClusterFile } from '../../src/run/hetzner-talos/cluster-session.ts'
import { openStateStore } from '../../src/run/open-state-store.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import { deriveSigningKey } from '../../src/store/trust/signing-key.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { changesDuring, expectTidy, refs, setBranch, stateFiles } from './world-facts.ts'

let bench: Bench
let file: ClusterFile
let offline: string
let head: string

const fileWith = (state: { signer: string[]; recipients: string[] }) =>
  clusterFile({ workers: 0 }, { ...bare, state })

const signerOf = (secret: string) => deriveSigningKey({ secret }).signer

function holding(...identities: readonly string[]): RunContext {
  const context = bench.run()
  const identity = identities.length === 0 ? undefined : identities.join('\n')
  return { ...context, state: { ...context.state, identity } }
}

const headOf = async () => (await refs(bench))['hcloud-talos']

beforeAll(async () => {
  bench = await startBench()
  offline = await generateX25519Identity()
  file = fileWith({
    signer: [signerOf(bench.identity)],
    recipients: [bench.recipient, await identityToRecipient(offline)],
  })
  await applyCluster(bench.run(), { file })
  head = (await headOf()) ?? ''
})
afterAll(() => bench[Symbol.asyncDispose]())

const plan = (context = holding(), of = file) => planCluster(context, { file: of, verb: 'apply' })

describe('a state that is kept in a bundle', () => {
  it('is exported without identity and token, and imported onto a branch that is lost', async () => {
    const blind = { ...holding(), hetznerToken: undefined }
    const { bundle, generation } = await exportState(blind, file)
    await setBranch(bench, undefined)
    await expect(plan()).rejects.toMatchObject({ code: 'state-missing' })
    const imported = await importState(bench.run(), { file, bundle })
    expect(imported).toMatchObject({ from: generation, generation: generation + 1 })
    expect((await plan()).plan.changes).toEqual([])
    await mintAccess(bench.run(), { file, hours: 1 })
    expect((await verifyState(holding(), file)).problems).toEqual([])
    // Once more, as after a run that died before it could say so: the same state.
    const now = await refs(bench)
    expect(await importState(bench.run(), { file, bundle })).toEqual({
      ...imported,
      remembered: generation + 1,
    })
    expect(await refs(bench)).toEqual(now)
    await expectTidy(bench)
  })

  it('takes the place of nothing', async () => {
    const { bundle } = await exportState(holding(), file)
    await setBranch(bench, head)
    await setBranch(bench, await headAfterWrites(2))
    const before = await refs(bench)
    await expect(importState(bench.run(), { file, bundle })).rejects.toMatchObject({
      code: 'import-refused',
    })
    expect(await refs(bench)).toEqual(before)
  })

  it('is older than Hetzner remembers only on demand, and goes on above that', async () => {
    const { bundle, generation } = await exportState(holding(), file)
    await applyAgain()
    const remembered = generationLabel()
    expect(remembered).toBeGreaterThan(generation)
    await setBranch(bench, undefined)
    await expect(importState(bench.run(), { file, bundle })).rejects.toMatchObject({
      code: 'state-rolled-back',
    })
    expect(await headOf()).toBeUndefined()
    const imported = await importState(bench.run(), { file, bundle, acceptsOlder: true })
    expect(imported).toMatchObject({ from: generation, generation: remembered + 1, remembered })
    expect((await plan()).plan.changes).toEqual([])
  })

  it('that was an older one makes way for a genuine newer bundle, when that is meant', async () => {
    await restart()
    const older = (await exportState(holding(), file)).bundle
    await applyAgain()
    const { bundle: newer, generation } = await exportState(holding(), file)
    await setBranch(bench, undefined)
    await importState(bench.run(), { file, bundle: older, acceptsOlder: true })
    const before = await refs(bench)
    await expect(importState(bench.run(), { file, bundle: newer })).rejects.toMatchObject({
      code: 'import-refused',
      hint: expect.stringContaining('--replace-older'),
    })
    expect(await refs(bench)).toEqual(before)
    const done = await importState(bench.run(), { file, bundle: newer, replaces: true })
    expect(done).toMatchObject({ from: generation })
    expect((await plan()).plan.changes).toEqual([])
    expect((await verifyState(holding(), file)).problems).toEqual([])
    // Not back again: what is there knows more than the older one.
    const again = { file, bundle: older, acceptsOlder: true, replaces: true }
    await expect(importState(bench.run(), again)).rejects.toMatchObject({ code: 'import-refused' })
    expect(await importState(bench.run(), { file, bundle: newer })).toMatchObject({
      generation: done.generation,
    })
  })

  it('comes back with the offline identity and a new key, when that of the runs is lost', async () => {
    const { bundle } = await exportState(holding(), file)
    const next = await generateX25519Identity()
    const merged = fileWith({
      signer: [bench.identity, next].map(signerOf),
      recipients: [await identityToRecipient(next), await identityToRecipient(offline)],
    })
    await setBranch(bench, undefined)
    await importState(holding(offline, next), { file: merged, bundle })
    await mintAccess(holding(next), { file: merged, hours: 1 })
    await expect(mintAccess(bench.run(), { file: merged, hours: 1 })).rejects.toMatchObject({
      code: 'state-undecryptable',
    })
    expect((await plan(holding(), merged)).plan.changes).toEqual([])
  })
})

/** Where the branch is after some writes. */
async function headAfterWrites(count: number): Promise<string | undefined> {
  const store = await openStateStore(bench.run(), readClusterFile(file).spec)
  for (let each = 0; each < count; each++) await store.record({ fact: 'secrets-minted' })
  await store.close()
  return await headOf()
}

async function applyAgain(): Promise<void> {
  await headAfterWrites(2)
  await applyCluster(bench.run(), { file: { ...file, text: file.text } })
}

function generationLabel(): number {
  const [firewall] = [...bench.sandbox.world.hetzner.firewalls.values()]
  return Number(firewall?.labels['generation'])
}

describe('a state branch that is compacted', () => {
  it('is one commit and the same cluster', async () => {
    await restart()
    const former = await headOf()
    const before = await stateFiles(bench)
    const done = await compactState(bench.run(), { file })
    expect(done).toMatchObject({ compacted: true, formerHead: former, others: [] })
    expect(await headOf()).toBe(done.head)
    const { problems, commits, begins, generations } = await verifyState(holding(), file)
    expect({ problems, commits, begins }).toEqual({
      problems: [],
      commits: 1,
      begins: done.generation,
    })
    expect(generations[0]?.journal.at(-1)).toMatchObject({
      fact: 'history-compacted',
      detail: { head: former, commits: `${done.formerCommits}` },
    })
    const after = await stateFiles(bench)
    expect(after['demo/secrets.sops.yaml']).toBe(before['demo/secrets.sops.yaml'])
    expect(generationLabel()).toBe(done.generation)
    expect((await plan()).plan.changes).toEqual([])
    expect(
      await changesDuring(bench.sandbox.world, () => compactState(bench.run(), { file })),
    ).toEqual([])
    await expectTidy(bench)
  })

  it('is refused to whoever brings the former history back', async () => {
    const now = await headOf()
    await setBranch(bench, head)
    await expect(plan()).rejects.toMatchObject({ code: 'state-rolled-back' })
    await setBranch(bench, now)
  })

  it('is not made of a history that is not whole, nor of that of others unasked', async () => {
    const prod = readClusterFile({ ...file, text: file.text.replace('"demo"', '"prod"') }).spec
    const store = await openStateStore(bench.run(), prod)
    const inventory = { clusterName: 'prod', uid: 'f'.repeat(16), nodes: [], addons: {} }
    await store.update(() => ({ inventory: { ...inventory, bootstrapped: false } }), 'Begin prod')
    await store.close()
    const before = await refs(bench)
    await expect(compactState(bench.run(), { file })).rejects.toMatchObject({
      code: 'compact-refused',
      message: expect.stringContaining('prod'),
    })
    expect(await refs(bench)).toEqual(before)
    const done = await compactState(bench.run(), { file, withOthers: true })
    expect(done.others).toEqual(['prod'])
    expect(Object.keys(await stateFiles(bench))).toContain('prod/manifest.json')
  })
})

/** The branch of the first apply, with Hetzner remembering no more than that. */
async function restart(): Promise<void> {
  await setBranch(bench, head)
  const [firewall] = [...bench.sandbox.world.hetzner.firewalls.values()]
  if (firewall) firewall.labels = { ...firewall.labels, generation: '1', 'key-epoch': '1' }
  await headAfterWrites(3)
}
