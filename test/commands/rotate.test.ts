import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mintAccess } from '../../src/commands/access/mint-access.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { rotateKeys } from '../../src/commands/keys/rotate-keys.ts'
import { makeIdentityFile, prepareRotation } from '../../src/commands/modes/prepare-rotation.ts'
import { verifyState } from '../../src/commands/state/verify-state.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import { readClusterFile } from '../../src/run/hetzner-talos/cluster-session.ts'
import { openStateStore } from '../../src/run/open-state-store.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import { deriveSigningKey } from '../../src/store/trust/signing-key.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { changesDuring, expectTidy, refs, setBranch } from './world-facts.ts'

let bench: Bench
let first: ClusterFile
let offline: string
/** What the runs hold, newest last. */
let held: string[]

const fileWith = (state: { signer?: string[]; recipients: string[] }) =>
  clusterFile({ workers: 0 }, { ...bare, state })

const signerOf = (secret: string) => deriveSigningKey({ secret }).signer

function holding(...identities: readonly string[]): RunContext {
  const context = bench.run()
  const identity = identities.length === 0 ? undefined : identities.join('\n')
  return { ...context, state: { ...context.state, identity } }
}

beforeAll(async () => {
  bench = await startBench()
  offline = await identityToRecipient(await generateX25519Identity())
  held = [bench.identity]
  first = fileWith({ signer: [signerOf(bench.identity)], recipients: [bench.recipient, offline] })
  await applyCluster(bench.run(), { file: first })
})
afterAll(() => bench[Symbol.asyncDispose]())

it('a rotation is not begun by a run, but by what the cluster file says', async () => {
  const before = await refs(bench)
  const { world } = bench.sandbox
  const stop = async (file: ClusterFile, ...identities: string[]) =>
    expect(
      await changesDuring(world, () =>
        expect(rotateKeys(holding(...identities), { file })).rejects.toMatchObject({
          code: 'rotation-unprepared',
          hint: expect.stringContaining('--prepare'),
        }),
      ),
    ).toEqual([])
  const next = await generateX25519Identity()
  // The file names nobody; the file names one whom the run does not hold.
  await stop(fileWith({ recipients: [bench.recipient, offline] }), bench.identity)
  const signer = [bench.identity, next].map(signerOf)
  await stop(fileWith({ signer, recipients: [bench.recipient, offline] }), bench.identity)
  // An identity that was made and is not merged yet.
  await expect(rotateKeys(bench.run(), { file: first, next })).rejects.toMatchObject({
    code: 'rotation-unprepared',
    message: expect.stringContaining(signerOf(next)),
  })
  await expect(rotateKeys(holding(), { file: first })).rejects.toMatchObject({
    code: 'identity-missing',
  })
  const reader = { ...bench.run(), hetznerToken: bench.sandbox.endpoints.hcloud.readOnlyToken }
  await expect(rotateKeys(reader, { file: first })).rejects.toMatchObject({
    code: 'token-read-only',
  })
  expect(await refs(bench)).toEqual(before)
})

it('with the newest key already there is nothing to rotate', async () => {
  const before = await refs(bench)
  expect(await rotateKeys(bench.run(), { file: first })).toMatchObject({
    rotated: false,
    keyEpoch: 1,
  })
  expect(await refs(bench)).toEqual(before)
})

it('prepared with an offline identity, since that of the runs is lost, it drops nobody by itself', async () => {
  const next = await makeIdentityFile(false)
  const offlineSecret = await generateX25519Identity()
  const kept = await identityToRecipient(offlineSecret)
  const signer = [signerOf(bench.identity)]
  const file = fileWith({ signer, recipients: [bench.recipient, kept] })
  const { state } = await prepareRotation(readClusterFile(file).spec, {
    present: offlineSecret,
    next,
  })
  const secret = next.split('\n')[1] ?? ''
  expect(state).toEqual({
    recipients: [await identityToRecipient(secret), bench.recipient, kept],
    signer: [...signer, signerOf(secret)],
  })
})

it('a new identity of another kind leaves out whom it does not go with', async () => {
  const next = await makeIdentityFile(true)
  const { state, left } = await prepareRotation(readClusterFile(first).spec, {
    present: bench.identity,
    next,
  })
  expect(state.recipients).toEqual([expect.stringMatching(/^age1pq1/)])
  expect(left).toEqual([offline])
})

it('the state goes over to the new key, and every run in between and after goes on', async () => {
  const next = await makeIdentityFile(false)
  const prepared = await prepareRotation(readClusterFile(first).spec, {
    present: bench.identity,
    next,
  })
  const secret = next.split('\n')[1] ?? ''
  const recipient = await identityToRecipient(secret)
  expect(prepared).toEqual({
    state: {
      recipients: [recipient, offline],
      signer: [bench.identity, secret].map(signerOf),
    },
    left: [],
    named: 'no',
    epoch: 2,
  })
  const file = fileWith({
    signer: [...prepared.state.signer],
    recipients: [...prepared.state.recipients],
  })

  // Merged, and not rotated yet: plans and applies of all kinds of runs.
  const plan = (context: RunContext) => planCluster(context, { file, verb: 'apply' })
  expect((await plan(holding())).plan.changes).toMatchObject([
    { key: 'secrets/demo', action: 'update', risk: 'live' },
  ])
  await applyCluster(holding(bench.identity), { file })
  expect((await plan(holding())).plan.changes).toEqual([])

  const { world } = bench.sandbox
  const rotated = await rotateKeys(holding(bench.identity, secret), { file })
  expect(rotated).toMatchObject({ rotated: true, keyEpoch: 2, stillReading: [] })
  expect(rotated.recipients).toEqual([recipient, offline])
  const [firewall] = [...world.hetzner.firewalls.values()]
  expect(firewall?.labels).toMatchObject({ 'key-epoch': '2', generation: `${rotated.generation}` })

  // Afterwards: the new key alone, without any, and the former one, which is shut out.
  expect((await plan(holding())).plan.changes).toEqual([])
  await applyCluster(holding(secret), { file })
  await mintAccess(holding(secret), { file, hours: 1 })
  const former = holding(bench.identity)
  await expect(mintAccess(former, { file, hours: 1 })).rejects.toMatchObject({
    code: 'state-undecryptable',
  })
  const { problems, generations } = await verifyState(holding(), file)
  expect(problems).toEqual([])
  expect(new Set(generations.map(({ manifest }) => manifest.keyEpoch))).toEqual(new Set([1, 2]))
  await expectTidy(bench)
  held = [bench.identity, secret]
})

it('what the former key signs is refused from then on, also by runs that saw nothing of it', async () => {
  const [former = '', next = ''] = held
  const recipients = [await identityToRecipient(next), offline]
  const file = fileWith({ signer: held.map(signerOf), recipients })
  const head = (await refs(bench))['hcloud-talos'] ?? ''
  // Back to before the rotation, and on from there, for longer than the anchor goes.
  const { generations } = await verifyState(holding(), file)
  const before = generations.findLast(({ manifest }) => manifest.keyEpoch === 1)
  await setBranch(bench, before?.commit)
  const thief = await openStateStore(holding(former), readClusterFile(file).spec)
  for (let each = 0; each < 8; each++) await thief.record({ fact: 'destroy-started' })
  await thief.close()
  await expect(planCluster(holding(), { file, verb: 'apply' })).rejects.toMatchObject({
    code: 'state-rolled-back',
  })
  await setBranch(bench, head)
})
