import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mintAccess } from '../../src/commands/access/mint-access.ts'
import { snapshotCluster } from '../../src/commands/backup/snapshot-cluster.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { mintTalosconfig } from '../../src/commands/talos/mint-talosconfig.ts'
import { silentProgress } from '../silent-progress.ts'
import { startAgedBench } from './aged-cluster.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { findings } from './doctors-eye.ts'
import { endAuthorities, yesterday } from './end-authorities.ts'
import type { Bench } from './harness.ts'
import { changesDuring } from './world-facts.ts'

// A revocation renews the CA of the Talos API alone, so that the others end years before it does.
const firewall = { talosApi: ['127.0.0.0/8'], kubernetesApi: ['127.0.0.0/8'] }
const file = clusterFile({ controlPlanes: 1, workers: 0 }, { ...bare, firewall })

let bench: Bench
beforeAll(async () => {
  bench = await startAgedBench(file, 20)
})
afterAll(() => bench[Symbol.asyncDispose]())

const keepFirst = /^Take a snapshot first.*`hcloud-talos snapshot .*Then delete the servers/
const hours = 1

/** Everything that can be done while the nodes can be reached, and what is said by what cannot. */
async function expectReachable(names: readonly string[]): Promise<void> {
  const warnings: string[] = []
  const progress = { ...silentProgress, warn: (text: string) => void warnings.push(text) }
  const talosconfig = await mintTalosconfig(bench.run({ progress }), { file, hours })
  expect(talosconfig).toContain('endpoints:')
  // Its end is that of the CA that it is of.
  expect(warnings).toEqual([])
  const to = join(bench.run().tempFolder, `${names.length}.etcd.age`)
  expect(await snapshotCluster(bench.run(), { file, to })).toMatchObject({
    node: 'demo-control-plane-1',
  })

  const { plan } = await planCluster(bench.run(), { file, verb: 'apply' })
  const ended = plan.findings.filter(({ message }) => message.includes('ended on'))
  expect(ended).toEqual([
    expect.objectContaining({ severity: 'error', hint: expect.stringMatching(keepFirst) }),
  ])
  expect(ended[0]?.message).not.toContain('no node can be reached')
  const apply = () =>
    expect(applyCluster(bench.run(), { file })).rejects.toMatchObject({ code: 'plan-refused' })
  expect(await changesDuring(bench.sandbox.world, apply)).toEqual([])
  const found = (await findings(bench, file)).filter((one) =>
    /^bad certificates: the CA of .* ended on/.test(one),
  )
  expect(found.map((one) => /the CA of (.*) ended on/.exec(one)?.[1]).sort()).toEqual(names)
  for (const one of found) expect(one).toMatch(/ → Take a snapshot first/)
  expect(found.join()).not.toContain('no node can be reached')
}

it('etcd’s and the aggregation layer’s have ended: the nodes can be reached, and the Kubernetes API too', async () => {
  await endAuthorities(bench, file, yesterday(), ['etcd', 'k8sAggregator'])
  await expectReachable(['etcd', 'the aggregation layer'])
  const { kubeconfig } = await mintAccess(bench.run(), { file, hours })
  expect(kubeconfig).toContain('client-key-data')
})

it('that of Kubernetes has ended too: a kubeconfig is refused, and the snapshot comes first', async () => {
  await endAuthorities(bench, file, yesterday(), ['k8s'])
  await expectReachable(['Kubernetes', 'etcd', 'the aggregation layer'])
  await expect(mintAccess(bench.run(), { file, hours })).rejects.toMatchObject({
    code: 'certificate-ended',
    message: expect.stringMatching(
      /^the CA of Kubernetes ended on [\d-]+: no certificate of it is accepted any more$/,
    ),
    hint: expect.stringMatching(keepFirst),
  })
})

it('that of the Talos API has ended too: no node can be reached, and nothing can be taken first', async () => {
  await endAuthorities(bench, file, yesterday(), ['os'])
  const refused = {
    code: 'certificate-ended',
    message: expect.stringMatching(/^the CA of the Talos API .* no node can be reached$/),
    hint: expect.stringMatching(/^Delete the servers/),
  }
  await expect(mintAccess(bench.run(), { file, hours })).rejects.toMatchObject(refused)
  await expect(mintTalosconfig(bench.run(), { file, hours })).rejects.toMatchObject(refused)
  const { plan } = await planCluster(bench.run(), { file, verb: 'apply' })
  expect(plan.findings).toContainEqual(
    expect.objectContaining({ severity: 'error', message: refused.message, hint: refused.hint }),
  )
})
