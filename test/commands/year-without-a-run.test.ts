import { afterAll, beforeAll, expect, it } from 'vitest'
import { mintAccess } from '../../src/commands/access/mint-access.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { talosApi } from '../../src/talos/api/talos-api.ts'
import { TalosClient } from '../../src/talos/api/talos-client.ts'
import { parseTalosconfig } from '../../src/talos/config/parse-talosconfig.ts'
import { startAgedBench } from './aged-cluster.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { findings } from './doctors-eye.ts'
import type { Bench } from './harness.ts'
import { bootIds } from './node-hands.ts'
import { changesDuring, expectTidy } from './world-facts.ts'

// Thirteen months after the first apply, in which nobody ran anything. That nodes and API servers renew their own
// certificates all the while is test/sandbox/talos/renewal.test.ts: TLS goes by the wall's time.
const day = 86_400_000
const away = 395
const firewall = { talosApi: ['127.0.0.0/8'], kubernetesApi: ['127.0.0.0/8'] }
const file = clusterFile({}, { ...bare, firewall })
const larger = clusterFile({ workers: 2 }, { ...bare, firewall })

let bench: Bench
beforeAll(async () => {
  bench = await startAgedBench(file, 3_650 - away)
})
afterAll(async () => {
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
})

/** The credentials that somebody minted on the first day, for as long as there is any. */
async function mintedThen() {
  const { calendar } = bench.run()
  const then = { ...calendar, now: () => calendar.now() - (away - 1) * day }
  // Hetzner would notice the clock; without its token the state alone is asked.
  const context = bench.run({ calendar: then, hetznerToken: undefined })
  return mintAccess(context, { file, hours: 8_760 })
}

it('nothing has ended but what was handed out, and nothing is to do', async () => {
  expect(await findings(bench, file)).toEqual([])
  const { plan } = await planCluster(bench.run(), { file, verb: 'apply' })
  expect(plan.changes).toEqual([])
  expect(plan.findings).toEqual([])
})

it('credentials of the first day are refused as ended, and new ones are had as ever', async () => {
  const [machine] = bench.sandbox.world.machines.values()
  const address = machine?.publicIp ?? ''
  const ask = async (talosconfig = '') => {
    const { credentials } = parseTalosconfig(talosconfig, 'the talosconfig')
    using client = new TalosClient({ address, credentials })
    return await talosApi(client).machine.version()
  }
  const { talosconfig } = await mintedThen()
  await expect(ask(talosconfig)).rejects.toMatchObject({ code: 'certificate-ended' })
  const now = await mintAccess(bench.run(), { file, hours: 1 })
  await expect(ask(now.talosconfig)).resolves.toBeDefined()
})

it('an apply does what the file asks for since, and restarts nothing for its age', async () => {
  const boots = bootIds(bench)
  await applyCluster(bench.run(), { file: larger })
  expect(bootIds(bench)).toMatchObject(boots)
  expect(Object.keys(bootIds(bench))).toHaveLength(3)
  const again = await changesDuring(bench.sandbox.world, () =>
    applyCluster(bench.run(), { file: larger }),
  )
  expect(again).toEqual([])
})
