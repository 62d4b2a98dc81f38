import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { mintAccess } from '../../src/commands/access/mint-access.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { revokeCluster } from '../../src/commands/keys/revoke-cluster.ts'
import { verifyState } from '../../src/commands/state/verify-state.ts'
import { readClusterFile } from '../../src/run/hetzner-talos/cluster-session.ts'
import { openStateStore } from '../../src/run/open-state-store.ts'
import { talosState } from '../../src/sandbox/talos/talos-state.ts'
import { deriveSigningKey } from '../../src/store/trust/signing-key.ts'
import { getVersion } from '../../src/talos/api/node-version.ts'
import { TalosClient } from '../../src/talos/api/talos-client.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { KeyRing } from './key-bench.ts'
import { changesDuring, expectTidy, refs, stateHistory } from './world-facts.ts'

let bench: Bench
let ring: KeyRing

beforeAll(async () => {
  bench = await startBench()
  ring = await KeyRing.begin(bench, 1)
  await applyCluster(bench.run(), { file: await ring.file() })
})
afterAll(() => bench[Symbol.asyncDispose]())

/** Whether a talosconfig lets its bearer into every node. */
async function letsIn(talosconfig: string): Promise<boolean[]> {
  const { context, contexts } = parse(talosconfig)
  const { ca, crt, key } = contexts[context]
  const decode = (text: string) => Buffer.from(text, 'base64').toString()
  const credentials = { ca: decode(ca), crt: decode(crt), key: decode(key) }
  const addresses = nodes().map(({ machine }) => machine.publicIp ?? '')
  return Promise.all(
    addresses.map(async (address) => {
      using talos = new TalosClient({ address, credentials, timeoutMs: 2_000 })
      return await getVersion(talos).then(
        () => true,
        () => false,
      )
    }),
  )
}

const nodes = () => [...talosState(bench.sandbox.world).nodes]

const talosAuthorities = () => new Set(nodes().map(({ config }) => config?.machineCa.crt))

it('is not begun while an apply is due, nor without a new key', async () => {
  const { world } = bench.sandbox
  const before = await refs(bench)
  const larger = await ring.file({ workers: 2 })
  const changes = await changesDuring(world, async () => {
    await expect(revokeCluster(ring.holding(), { file: larger })).rejects.toMatchObject({
      code: 'revocation-refused',
    })
    await expect(
      revokeCluster(ring.holding([]), { file: await ring.file() }),
    ).rejects.toMatchObject({
      code: 'identity-missing',
    })
    // Without a new key the new secrets would be encrypted for whoever has the present one.
    await expect(revokeCluster(ring.holding(), { file: await ring.file() })).rejects.toMatchObject(
      stolenKey,
    )
    // Nor with the file of a rotation that is done: it holds the present one.
    const leftOver = { file: await ring.file(), next: ring.newest }
    await expect(revokeCluster(ring.holding(), leftOver)).rejects.toMatchObject({
      ...stolenKey,
      hint: expect.stringContaining('left over'),
    })
  })
  expect(changes).toEqual([])
  expect(await refs(bench)).toEqual(before)
})

it('brings no pending move of the config contract along', async () => {
  const file = await ring.file()
  const talos = '"version": "v1.13.9"'
  const moved = { ...file, text: file.text.replace(talos, `${talos}, "contract": "v1.12"`) }
  const { plan } = await planCluster(ring.holding(), { file: moved, verb: 'apply' })
  expect(plan.changes.map(({ key }) => key)).toContain('node/demo-workers-1')
  const changes = await changesDuring(bench.sandbox.world, async () => {
    await expect(revokeCluster(ring.holding(), { file: moved })).rejects.toMatchObject({
      code: 'revocation-refused',
    })
  })
  expect(changes).toEqual([])
})

const stolenKey = {
  code: 'rotation-unprepared',
  message: expect.stringContaining('would read the new secrets too'),
  hint: expect.stringContaining('rotate --prepare'),
}

it('is not begun for a file that still names the stolen identity, and changes nothing unconfirmed', async () => {
  const { world } = bench.sandbox
  const before = await refs(bench)
  const next = await generateX25519Identity()
  const signer = [bench.identity, next].map((secret) => deriveSigningKey({ secret }).signer)
  const recipients = [await identityToRecipient(next), bench.recipient]
  const kept = clusterFile({ workers: 1 }, { ...bare, state: { signer, recipients } })
  const dropped = clusterFile(
    { workers: 1 },
    { ...bare, state: { signer, recipients: [...recipients.slice(0, 1), ring.offlineRecipient] } },
  )
  const changes = await changesDuring(world, async () => {
    await expect(revokeCluster(ring.holding(), { file: kept, next })).rejects.toMatchObject({
      code: 'rotation-unprepared',
      message: expect.stringContaining(bench.recipient),
    })
    const unconfirmed = { file: dropped, next, confirm: async () => false }
    expect(await revokeCluster(ring.holding(), unconfirmed)).toMatchObject({ revoked: false })
  })
  expect(changes).toEqual([])
  expect(await refs(bench)).toEqual(before)
})

it('what the former state gave away of Talos is worth nothing, and the cluster runs on', async () => {
  const { world } = bench.sandbox
  const former = await mintAccess(ring.holding(), { file: await ring.file(), hours: 1 })
  await applyCluster(ring.holding(), { file: await ring.file(), keepRule: true })
  expect(await letsIn(former.talosconfig ?? '')).toEqual([true, true])
  const [authority] = talosAuthorities()
  const boots = nodes()

  await ring.add()
  const file = await ring.file()
  const requests = world.requests.length
  const done = await revokeCluster(ring.holding(), { file })
  expect(done).toMatchObject({
    revoked: true,
    nodes: 2,
    isFormerTried: true,
    keys: { keyEpoch: 2, proven: { files: 3, identities: 1 } },
  })
  // What it says is so: the former identity opens nothing of the newest generation.
  const stolen = await openStateStore(ring.holding([bench.identity]), readClusterFile(file).spec)
  await stolen.read()
  await expect(stolen.readSecrets()).rejects.toMatchObject({ code: 'state-undecryptable' })
  for (const { name } of (await stolen.read())?.inventory.nodes ?? []) {
    await expect(stolen.readNodeConfig(name)).rejects.toMatchObject({ code: 'state-undecryptable' })
  }
  await stolen.close()
  // And it is not done twice with the same key: that would take nothing from whoever has it.
  await expect(revokeCluster(ring.holding(), { file })).rejects.toMatchObject({
    ...stolenKey,
    message: expect.stringContaining('is done'),
  })
  expect(done.words.stillValid.map(({ what }) => what)).toContain('the CA of Kubernetes')
  // Not one node was rebooted, and no server touched.
  expect(nodes().every((node, index) => node === boots[index])).toBe(true)
  const made = world.requests
    .slice(requests)
    .filter(({ front, method }) => front === 'hetzner' && method !== 'GET')
  expect(made.filter(({ path }) => path.startsWith('/servers'))).toEqual([])
  expect(talosAuthorities().size).toBe(1)
  expect(talosAuthorities().has(authority)).toBe(false)

  // A rule of its own, so that what keeps the former one out is its certificate.
  const newest = ring.holding([ring.newest])
  await applyCluster(newest, { file, keepRule: true })
  const { talosconfig = '' } = await mintAccess(newest, { file, hours: 1 })
  expect(await letsIn(talosconfig)).toEqual([true, true])
  expect(await letsIn(former.talosconfig ?? '')).toEqual([false, false])

  expect((await planCluster(ring.holding([]), { file, verb: 'apply' })).plan.changes).toEqual([])
  await applyCluster(newest, { file })
  expect((await verifyState(ring.holding([]), file)).problems).toEqual([])
  await expectTidy(bench)
})

it('leaves no key of either CA in plain on the branch, and says in the journal what it did', async () => {
  const file = await ring.file()
  const store = await openStateStore(ring.holding(), readClusterFile(file).spec)
  const generation = await store.read()
  const secrets = (await store.readSecrets()) ?? ''
  const config = (await store.readNodeConfig('demo-control-plane-1')) ?? ''
  await store.close()
  expect(generation?.journal.map(({ fact }) => fact)).toEqual(
    expect.arrayContaining([
      'keys-rotated',
      'authority-accepted',
      'authority-issuing',
      'authority-dropped',
      'revocation-started',
      'revocation-finished',
    ]),
  )
  expect(secrets).not.toContain('osaccepted')
  expect(config).not.toContain('acceptedCAs')
  const key = parse(secrets).certs.os.key
  expect(config).toContain(key)
  expect(await stateHistory(bench)).not.toContain(key)
})
