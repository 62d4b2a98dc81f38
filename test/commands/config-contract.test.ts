import { expect, it } from 'vitest'
import { mintAccess } from '../../src/commands/access/mint-access.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { upgradeCluster } from '../../src/commands/cluster/upgrade-cluster.ts'
import { recoverState } from '../../src/commands/state/recover-state.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { startBench } from './harness.ts'
import { bootOther, runningConfig } from './node-hands.ts'
import { changesDuring, expectTidy, inventoryOf, setBranch } from './world-facts.ts'

const kubernetes = { version: '1.34.1' }
/** A document that only configs with documents for the network can have besides. */
const patch = '{apiVersion: v1alpha1, kind: ResolverConfig, searchDomains: {disableDefault: true}}'
const fileOf = (version: string, contract?: string) =>
  clusterFile(
    {},
    { ...bare, kubernetes, talos: contract === undefined ? { version } : { version, contract } },
  )
const nodes = ['demo-control-plane-1', 'demo-workers-1']

it('a cluster keeps the contract that it was born with until an apply of another one, and never comes back by itself', async () => {
  await using bench = await startBench()
  const planned = async (file: ReturnType<typeof fileOf>, verb: 'apply' | 'upgrade' = 'apply') =>
    (await planCluster(bench.run(), { file, verb })).plan
  const contracts = async () => {
    const { contract, nodes: known } = await inventoryOf(bench)
    return [contract, ...known.map((node) => node.contract)]
  }
  await applyCluster(bench.run(), { file: fileOf('v1.11.6') })
  expect(await contracts()).toEqual(['v1.11', 'v1.11', 'v1.11'])

  // An upgrade leaves it alone.
  const upgraded = fileOf('v1.12.11')
  await upgradeCluster(bench.run(), { file: upgraded })
  expect(runningConfig(bench, nodes[1] ?? '')).not.toContain('kind: HostnameConfig')
  expect(await contracts()).toEqual(['v1.11', 'v1.11', 'v1.11'])
  expect(await planned(upgraded)).toMatchObject({
    changes: [],
    waiting: [],
    findings: [],
  })

  // What fits the contract of its Talos, by which a file is judged, may not fit the one that is kept.
  const patched = {
    ...upgraded,
    text: upgraded.text.replace('"v1.12.11"', `"v1.12.11", "patches": ["${patch}"]`),
  }
  expect((await planned(patched)).findings).toContainEqual(
    expect.objectContaining({
      severity: 'error',
      path: ['talos', 'patches', 0],
      position: expect.anything(),
    }),
  )

  // A newer one than a node can read waits for the upgrade, and comes along with none.
  const tooEarly = fileOf('v1.13.9', 'v1.13')
  expect((await planned(tooEarly)).findings).toContainEqual(
    expect.objectContaining({
      severity: 'error',
      path: ['talos', 'contract'],
      message:
        'the machine configs cannot move from the contract v1.11 to v1.13 yet: demo-control-plane-1 and 1 more run Talos v1.12.11, which cannot read them',
      position: expect.anything(),
    }),
  )
  for (const file of [tooEarly, fileOf('v1.13.9', 'v1.12')]) {
    const { findings } = await planned(file, 'upgrade')
    expect(findings).toContainEqual(
      expect.objectContaining({
        severity: 'error',
        message: expect.stringContaining('which an upgrade does not do'),
      }),
    )
  }
  const refused = await changesDuring(bench.sandbox.world, async () => {
    await expect(applyCluster(bench.run(), { file: tooEarly })).rejects.toMatchObject({
      code: 'plan-refused',
    })
    await expect(upgradeCluster(bench.run(), { file: tooEarly })).rejects.toMatchObject({
      code: 'plan-refused',
    })
  })
  expect(refused).toEqual([])

  // The step: what changes on each node, and that it moves.
  const moved = fileOf('v1.12.11', 'v1.12')
  const step = await planned(moved)
  expect(step.changes.map(({ key }) => key)).toEqual(nodes.map((name) => `node/${name}`))
  for (const { fields } of step.changes) {
    expect(fields).toContainEqual({ path: 'contract', before: 'v1.11', after: 'v1.12' })
    expect(fields.map(({ path }) => path)).toContain('machine.network.hostname')
  }
  expect(step.notes).toContainEqual(
    expect.stringContaining('the machine configs of 2 nodes move to the contract v1.12'),
  )
  await applyCluster(bench.run(), { file: moved })
  expect(runningConfig(bench, nodes[1] ?? '')).toContain('kind: HostnameConfig')
  expect(await contracts()).toEqual(['v1.12', 'v1.12', 'v1.12'])

  // The line may go; another one must be written to go back.
  expect(await planned(upgraded)).toMatchObject({ changes: [], findings: [] })
  const back = await planned(fileOf('v1.12.11', 'v1.11'))
  expect(back.changes).toHaveLength(2)
  expect(back.findings).toMatchObject([
    {
      severity: 'warning',
      path: ['talos', 'contract'],
      message: 'the machine configs go back from the contract v1.12 to v1.11',
    },
  ])
  await expectTidy(bench)
})

it('no node that somebody rolled back is given a config that it cannot read', async () => {
  await using bench = await startBench()
  const [, worker = ''] = nodes
  const open = { firewall: { talosApi: ['0.0.0.0/0'], kubernetesApi: ['0.0.0.0/0'] } }
  const fileWith = (talos: JsonObject) => clusterFile({}, { ...bare, ...open, kubernetes, talos })
  const planned = async (talos: JsonObject) => {
    const { plan } = await planCluster(bench.run(), { file: fileWith(talos), verb: 'apply' })
    return plan.findings.map(({ severity, message, hint }) => ({ severity, message, hint }))
  }
  // What it runs is known once it is up again.
  const upAgain = { timeout: 60_000, interval: 500 }
  const newer = { version: 'v1.13.9' }
  const move = { ...newer, contract: 'v1.13' }
  await applyCluster(bench.run(), { file: fileWith({ version: 'v1.12.11' }) })
  await upgradeCluster(bench.run(), { file: fileWith(newer) })

  await bootOther(bench, worker)
  const hint = expect.stringContaining(`\`hcloud-talos talos rollback -n ${worker}\``)
  const rolledBack = {
    severity: 'warning',
    message: `${worker} runs Talos v1.12.11, and was given v1.13.9: somebody rolled it back`,
    hint,
  }
  await expect.poll(() => planned(newer), upAgain).toEqual([rolledBack])
  expect(await planned(move)).toEqual([
    rolledBack,
    {
      severity: 'error',
      message: `the machine configs cannot move from the contract v1.12 to v1.13 yet: ${worker} runs Talos v1.12.11, which cannot read them`,
      hint,
    },
  ])
  const changes = await changesDuring(bench.sandbox.world, async () => {
    await expect(applyCluster(bench.run(), { file: fileWith(move) })).rejects.toMatchObject({
      code: 'plan-refused',
    })
  })
  expect(changes).toEqual([])

  await bootOther(bench, worker)
  await expect.poll(() => planned(move), upAgain).toEqual([])
})

it('a recovered state has the contract that the nodes were left with, whatever the file is silent about', async () => {
  await using bench = await startBench()
  await applyCluster(bench.run(), { file: fileOf('v1.12.11', 'v1.11') })
  const file = fileOf('v1.12.11')
  const { talosconfig = '' } = await mintAccess(bench.run(), { file, hours: 1 })
  await setBranch(bench, undefined)
  const recovered = await recoverState(bench.run(), {
    file,
    wayIn: { kind: 'talosconfig', text: talosconfig },
  })
  expect(recovered.plan.changes).toEqual([])
  expect((await inventoryOf(bench)).contract).toBe('v1.11')
})
