import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { createClock } from '../../src/lib/clock.ts'
import type { KeyKind, KeyMaker } from '../../src/lib/key-maker.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { ClusterAccess, type NodeAddress } from '../../src/run/hetzner-talos/cluster-access.ts'
import { openSession } from '../../src/run/hetzner-talos/cluster-session.ts'
import { getVersion } from '../../src/talos/api/node-version.ts'
import { TalosClient } from '../../src/talos/api/talos-client.ts'
import { mintKubeconfig } from '../../src/talos/config/kubeconfig.ts'
import type { SecretsBundle } from '../../src/talos/config/secrets-bundle.ts'
import { parseSecretsBundle } from '../../src/talos/config/secrets-bundle-yaml.ts'
import { bare, clusterFile } from '../commands/cluster-files.ts'
import { type Bench, startBench } from '../commands/harness.ts'
import { connectKubernetes } from '../kubernetes/connect-kubernetes.ts'
import { fixedKeyMaker } from '../talos/fixed-key-maker.ts'

const file = clusterFile({ workers: 0 }, bare)
const minute = 60_000
const hour = 60 * minute

/**
 * The wall of the world, which the test moves. It is set around the time of this machine, since TLS itself
 * looks at the dates of a certificate too: what was minted long ago must not have ended yet for it, and
 * what is minted must not lie ahead.
 */
let wall = Date.now()
const calendar: Clock = {
  now: () => wall,
  sleep: (milliseconds) => createClock().sleep(milliseconds),
}

let bench: Bench
let secrets: SecretsBundle
let controlPlane: NodeAddress
beforeAll(async () => {
  bench = await startBench({ calendar })
  await applyCluster(bench.run(), { file, keepRule: true })
  await using session = await openSession(bench.run(), file)
  await session.store.read()
  secrets = parseSecretsBundle((await session.store.readSecrets()) ?? '', fixedKeyMaker)
  const name = 'demo-control-plane-1'
  controlPlane = { name, address: bench.sandbox.world.machineNamed(name)?.publicIp ?? '' }
})
afterAll(() => bench[Symbol.asyncDispose]())

/** A way into the cluster, and the keys that were made for it. */
function openAccess(): { access: ClusterAccess; made: KeyKind[] } {
  const made: KeyKind[] = []
  const keys: KeyMaker = {
    read: fixedKeyMaker.read,
    make(kind) {
      made.push(kind)
      return fixedKeyMaker.make(kind)
    },
  }
  const { clock, random, redactor } = bench.run()
  const clusterName = 'demo'
  const options = { clusterName, secrets, keys, clock, calendar, random, redactor }
  return { access: new ClusterAccess(options), made }
}

test('a run that lasts longer than its certificates continues with others, and makes none that it does not need', async () => {
  const began = Date.now() - 11.9 * hour
  wall = began
  const { access, made } = openAccess()
  using _closed = access
  const talos = access.talos(controlPlane.address)
  // Somebody who holds on to what there was in the beginning.
  using kept = new TalosClient({ ...controlPlane, credentials: await access.credentials() })
  const kubernetes = await access.kubernetes([controlPlane], { withinMs: 10_000 })
  const useBoth = async () => {
    expect((await getVersion(talos)).tag).toBe('v1.13.9')
    expect(await kubernetes.list({ apiVersion: 'v1', kind: 'Node' })).toHaveLength(1)
  }
  await useBoth()
  wall = began + 7 * hour
  await useBoth()
  expect(made).toEqual(['ed25519', 'ecdsa-p256'])

  wall = began + 11.9 * hour
  await useBoth()
  expect(made).toEqual(['ed25519', 'ecdsa-p256', 'ed25519', 'ecdsa-p256'])

  // The first ones have ended, and the world lets nobody in with them.
  wall = began + 12.1 * hour
  await useBoth()
  expect(made).toHaveLength(4)
  await expect(getVersion(kept)).rejects.toMatchObject({ code: 'talos-unreachable' })
})

test('a certificate that ends is refused by Kubernetes on a connection that is open, too', async () => {
  wall = Date.now() - 50 * minute
  const kubeconfig = await mintKubeconfig(
    secrets,
    { clusterName: 'demo', server: `https://${controlPlane.address}:6443`, hours: 1 },
    { keys: fixedKeyMaker, random: seededRandom(5), clock: calendar },
  )
  const client = await connectKubernetes({
    kubeconfig,
    clock: bench.sandbox.world.clock,
    random: seededRandom(6),
  })
  const nodes = () => client.list({ apiVersion: 'v1', kind: 'Node' })
  expect(await nodes()).toHaveLength(1)
  wall += 59 * minute
  expect(await nodes()).toHaveLength(1)
  wall += 2 * minute
  await expect(nodes()).rejects.toMatchObject({ code: 'kubernetes-refused', status: 401 })
  client.close()
})
