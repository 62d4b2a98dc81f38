import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mintAccess } from '../../src/commands/access/mint-access.ts'
import { restoreCluster } from '../../src/commands/backup/restore-cluster.ts'
import { snapshotCluster } from '../../src/commands/backup/snapshot-cluster.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { TalosClient } from '../../src/talos/api/talos-client.ts'
import { startAgedBench } from './aged-cluster.ts'
import { deleteServerByHand } from './by-hand.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { findings } from './doctors-eye.ts'
import { endAuthorities, yesterday } from './end-authorities.ts'
import type { Bench } from './harness.ts'
import { hasNote, writeNote } from './lost-etcd.ts'
import { changesDuring, expectTidy } from './world-facts.ts'

// The drill of docs/certificates.md: every authority of a cluster has ended, and the clock of TLS says so.
const firewall = { talosApi: ['127.0.0.0/8'], kubernetesApi: ['127.0.0.0/8'] }
const file = clusterFile({ controlPlanes: 3, workers: 1 }, { ...bare, firewall })

let bench: Bench
let snapshot: string
let former: Awaited<ReturnType<typeof endAuthorities>>
beforeAll(async () => {
  bench = await startAgedBench(file, 20)
  await writeNote(bench, file, 'kept')
  snapshot = join(bench.run().tempFolder, 'last-night.etcd.age')
  await snapshotCluster(bench.run(), { file, to: snapshot })
  former = await endAuthorities(bench, file, yesterday())
})
afterAll(async () => {
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
})

const ended = /ended on \d{4}-\d\d-\d\d/
const wayBack = expect.stringContaining('hcloud-talos restore --snapshot')

it('is said by everything that would reach a node, with the way back; nothing is changed', async () => {
  const { plan } = await planCluster(bench.run(), { file, verb: 'apply' })
  expect(plan.findings).toContainEqual(
    expect.objectContaining({
      severity: 'error',
      message: expect.stringMatching(ended),
      hint: wayBack,
    }),
  )
  const apply = () =>
    expect(applyCluster(bench.run(), { file })).rejects.toMatchObject({ code: 'plan-refused' })
  expect(await changesDuring(bench.sandbox.world, apply)).toEqual([])
  const refused = {
    code: 'certificate-ended',
    message: expect.stringMatching(ended),
    hint: wayBack,
  }
  await expect(mintAccess(bench.run(), { file, hours: 1 })).rejects.toMatchObject(refused)
  await expect(snapshotCluster(bench.run(), { file, to: `${snapshot}.too` })).rejects.toMatchObject(
    refused,
  )
  const found = await findings(bench, file)
  for (const name of ['the Talos API', 'Kubernetes', 'the aggregation layer', 'etcd']) {
    expect(found).toContainEqual(
      expect.stringMatching(
        new RegExp(
          `^bad certificates: the CA of ${name} ended on .* → Delete the servers .*\`hcloud-talos restore --snapshot`,
        ),
      ),
    )
  }
})

it('a client that believes the former certificate is told that it ended, not that the node is a stranger', async () => {
  using client = new TalosClient({ address: former.address, credentials: former.credentials })
  await expect(client.connect(3_000)).rejects.toMatchObject({ code: 'talos-unreachable' })
  await expect(former.ask(client)).rejects.toMatchObject({
    code: 'certificate-ended',
    message: expect.stringMatching(/the CA of the Talos API ended on \d{4}-\d\d-\d\d/),
  })
})

it('the way back: the servers are deleted, and a restore makes them with authorities over the same keys', async () => {
  const { world } = bench.sandbox
  for (const name of ['control-plane-1', 'control-plane-2', 'control-plane-3', 'workers-1']) {
    await deleteServerByHand(bench, `demo-${name}`)
  }
  let shown: number | undefined
  const confirm = async ({ renews }: { readonly renews: number | undefined }) => {
    shown = renews
    return true
  }
  expect(
    await restoreCluster(bench.run(), { file, snapshot, discardEtcd: false, confirm }),
  ).toMatchObject({
    restored: true,
    left: 0,
  })
  expect(shown).toBeLessThan(Date.now())
  expect(world.contractErrors).toEqual([])
  expect(await hasNote(bench, file, 'kept')).toBe(true)
  expect((await planCluster(bench.run(), { file, verb: 'apply' })).plan.changes).toEqual([])
  expect(await findings(bench, file)).toEqual([])
})
