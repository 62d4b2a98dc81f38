import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { isJsonObject, type JsonObject } from '../../src/lib/json.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { renderPlanJson } from '../../src/plan/render-json.ts'
import { renderPlanMarkdown } from '../../src/plan/render-markdown.ts'
import { renderPlanText } from '../../src/plan/render-text.ts'
import { toApprovedPlan } from '../../src/plan/verdict.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import { talosState } from '../../src/sandbox/talos/talos-state.ts'
import { typeTalos } from '../cli/talos-bench.ts'
import { pollLimitMs } from '../hang-limit.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { listeningProgress } from './listening-progress.ts'
import { bootIds, editByHand, runningConfig } from './node-hands.ts'
import { expectTidy, newestCluster, stateHistory } from './world-facts.ts'

// One cluster whose Talos API lets everybody in, so that a plan can ask its nodes.
let bench: Bench
const kubernetes = { version: '1.36.3', kubeletExtraArgs: { v: '3' } }
const talos = { version: 'v1.13.9' }

beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file: file() })
})

afterAll(async () => {
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
})

function file(more: JsonObject = {}, pool: JsonObject = {}): ClusterFile {
  const workers = [{ name: 'workers', count: 2, type: 'cx33', ...pool }]
  const firewall = { talosApi: ['0.0.0.0/0'] }
  return clusterFile({ controlPlanes: 3, workers }, { ...bare, firewall, ...more })
}

async function planOf(wanted: ClusterFile): Promise<Plan> {
  return (await planCluster(bench.run(), { file: wanted, verb: 'apply' })).plan
}

/** As a pull request's job makes it. */
async function planWithoutIdentity(wanted: ClusterFile): Promise<Plan> {
  const run = bench.run()
  const keyless = { ...run, state: { ...run.state, identity: undefined } }
  return (await planCluster(keyless, { file: wanted, verb: 'apply' })).plan
}

function describedChanges({ changes }: Plan): string[] {
  return changes.flatMap(({ action, key, risk, fields }) => [
    `${action} ${key} ${risk}`,
    ...fields.map(({ path, before, after }) => `  ${path}: ${before} → ${after}`),
  ])
}

/** Every way in which a plan is shown. */
function shown(plan: Plan): string {
  return [
    renderPlanText(plan),
    renderPlanMarkdown(plan),
    JSON.stringify(renderPlanJson(plan)),
  ].join('\n')
}

const withSysctl = (key: string, value: string) => (machine: JsonObject) => ({
  ...machine,
  sysctls: { ...(isJsonObject(machine['sysctls']) ? machine['sysctls'] : {}), [key]: value },
})

/** In the text of a config. */
const byHand = /vm\.swappiness: "99"/

const labelled = { labels: { 'example.com/team': 'shop' } }
const tuned = {
  talos: { ...talos, patches: [{ machine: { sysctls: { 'vm.swappiness': '10' } } }] },
}

const rebooting = { ...tuned.talos, controlPlanePatches: [{ machine: { udev: { rules: ['A'] } } }] }

/** What the cluster is like after the first two tests. */
function settled(more: JsonObject = {}): ClusterFile {
  return file({ kubernetes, talos: rebooting, ...more }, labelled)
}

it('a label, a sysctl and a kubelet argument are planned as a restart of kubelets, told by their fields, and reboot nothing', async () => {
  const boots = bootIds(bench)
  const wanted = file({ ...tuned, kubernetes }, labelled)
  const plan = await planOf(wanted)
  const everywhere = [
    '  machine.kubelet.extraArgs.v: undefined → 3',
    '  machine.sysctls["vm.swappiness"]: undefined → 10',
  ]
  const label = '  machine.nodeLabels["example.com/team"]: undefined → shop'
  const [args = '', sysctl = ''] = everywhere
  expect(describedChanges(plan)).toEqual([
    ...[1, 2, 3].flatMap((slot) => [
      `update node/demo-control-plane-${slot} restart`,
      ...everywhere,
    ]),
    ...[1, 2].flatMap((slot) => [`update node/demo-workers-${slot} restart`, args, label, sysctl]),
  ])
  // A plan without the identity says the same: what was approved is what is done.
  expect(await planWithoutIdentity(wanted)).toMatchObject({ digest: plan.digest })
  await applyCluster(bench.run(), { file: wanted, approved: toApprovedPlan(plan) })
  expect(bootIds(bench)).toEqual(boots)
  expect(runningConfig(bench, 'demo-workers-2')).toContain('vm.swappiness')
  const second = await applyCluster(bench.run(), { file: wanted })
  expect(second.plan.changes).toEqual([])
  expect(second.plan.notes).toEqual([])
})

it('what needs a reboot is planned as one, and the control planes go down one at a time', async () => {
  const boots = bootIds(bench)
  const [etcd] = newestCluster(bench.sandbox.world).etcds.values()
  let fewest = 3
  etcd?.onChange(() => {
    fewest = Math.min(fewest, etcd.voters.filter(({ id }) => etcd.isStarted(id)).length)
  })
  const { plan } = await applyCluster(bench.run(), { file: settled() })
  expect(describedChanges(plan)).toEqual(
    [1, 2, 3].flatMap((slot) => [
      `update node/demo-control-plane-${slot} reboot`,
      '  machine.udev.rules: undefined → A',
    ]),
  )
  expect(fewest).toBe(2)
  const after = bootIds(bench)
  const rebooted = Object.keys(boots).filter((name) => boots[name] !== after[name])
  expect(rebooted.sort()).toEqual([1, 2, 3].map((slot) => `demo-control-plane-${slot}`))
})

it('a config that was changed by hand is found by a plan, healed by an apply, and then there is nothing to do', async () => {
  const ours = runningConfig(bench, 'demo-workers-1')
  await editByHand(bench, settled(), 'demo-workers-1', withSysctl('vm.swappiness', '99'))
  const plan = await planOf(settled())
  expect(describedChanges(plan)).toEqual([
    'update node/demo-workers-1 live',
    '  machine.sysctls["vm.swappiness"]: 99 → 10',
  ])
  expect(plan.changes[0]?.reason).toBe(
    'its running config differs from ours: machine.sysctls["vm.swappiness"]',
  )
  const boots = bootIds(bench)
  expect(describedChanges((await applyCluster(bench.run(), { file: settled() })).plan)).toEqual(
    describedChanges(plan),
  )
  expect(runningConfig(bench, 'demo-workers-1')).toBe(ours)
  expect(bootIds(bench)).toEqual(boots)
  expect((await applyCluster(bench.run(), { file: settled() })).plan.changes).toEqual([])
})

it('a patch given to a node past the file is judged first, takes the lock, and is drift in the next plan', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'patch-'))
  await writeFile(join(folder, 'cluster.yaml'), settled().text)
  const ours = runningConfig(bench, 'demo-workers-1')
  const patch = async (content: JsonObject, ...words: string[]) => {
    await writeFile(join(folder, 'patch.yaml'), JSON.stringify(content))
    const files = [join(folder, 'patch.yaml'), '--config', join(folder, 'cluster.yaml')]
    const context = bench.run()
    return typeTalos(['patch', ...files, '-n', 'demo-workers-1', '--yes', ...words], { context })
  }
  const swappy = { machine: { sysctls: { 'vm.swappiness': '98' } } }
  expect((await patch({ machine: { sysctlz: {} } })).error).toMatchObject({ code: 'spec-invalid' })
  const udev = { machine: { udev: { rules: ['X'] } } }
  expect((await patch(udev)).error).toMatchObject({ hint: expect.stringContaining('staged') })
  expect((await patch(swappy, '--dry-run')).stdout).toMatch(/vm\.swappiness"\] +live/)
  expect(runningConfig(bench, 'demo-workers-1')).toBe(ours)
  expect((await patch(swappy)).error).toBeUndefined()
  expect(describedChanges(await planOf(settled()))).toEqual([
    'update node/demo-workers-1 live',
    '  machine.sysctls["vm.swappiness"]: 98 → 10',
  ])
  await applyCluster(bench.run(), { file: settled() })
  expect(runningConfig(bench, 'demo-workers-1')).toBe(ours)
  await rm(folder, { recursive: true })
})

it('one that was staged by hand and waits for the next boot is found too', async () => {
  await editByHand(bench, settled(), 'demo-workers-1', withSysctl('a', 'b'), 'staged')
  expect(describedChanges((await applyCluster(bench.run(), { file: settled() })).plan)).toEqual([
    'update node/demo-workers-1 live',
    '  machine.sysctls.a: b → undefined',
  ])
  expect(await planOf(settled())).toMatchObject({ changes: [], notes: [] })
})

it('a secret that was put on a node by hand is told without its value', async () => {
  const canary = 'xqz-canary-7731'
  const edit = (machine: JsonObject) => ({ ...machine, env: { HTTPS_PROXY: `http://${canary}` } })
  await editByHand(bench, settled(), 'demo-workers-2', edit, 'reboot')
  const log: string[] = []
  await expect
    .poll(async () => (await planOf(settled())).changes.length, { timeout: pollLimitMs })
    .toBe(1)
  const progress = listeningProgress(log)
  const { plan } = await applyCluster(bench.run({ progress }), { file: settled() })
  expect(describedChanges(plan)).toEqual([
    'update node/demo-workers-2 reboot',
    '  machine.env.HTTPS_PROXY: (hidden) → undefined',
  ])
  expect(`${shown(plan)}${log.join('\n')}${await stateHistory(bench)}`).not.toContain('canary')
  expect(runningConfig(bench, 'demo-workers-2')).not.toContain('canary')
})

it('under the policy to report, a change by hand is told and left, until the file changes that node', async () => {
  const policy = { onNodeConfigDrift: 'report' }
  await editByHand(bench, settled(), 'demo-workers-1', withSysctl('vm.swappiness', '99'))
  const { plan, drifted } = await planCluster(bench.run(), {
    file: settled({ policy }),
    verb: 'apply',
  })
  expect(drifted).toEqual(['demo-workers-1'])
  expect(plan).toMatchObject({
    changes: [],
    findings: [{ severity: 'warning', message: expect.stringContaining('vm.swappiness') }],
  })
  await applyCluster(bench.run(), { file: settled({ policy }) })
  expect(runningConfig(bench, 'demo-workers-1')).toMatch(byHand)
})

it('an approved plan that says nothing of it leaves it as it is, and the run says so', async () => {
  const approved = toApprovedPlan(await planWithoutIdentity(settled()))
  const log: string[] = []
  const run = bench.run({ progress: listeningProgress(log) })
  await applyCluster(run, { file: settled(), approved })
  expect(runningConfig(bench, 'demo-workers-1')).toMatch(byHand)
  expect(log.join('\n')).toMatch(/demo-workers-1 stays as it is: .*vm.swappiness.*nobody approved/)
  await applyCluster(bench.run(), { file: settled() })
  expect(runningConfig(bench, 'demo-workers-1')).not.toMatch(byHand)
})

it('a plan says whom it did not ask: without the identity, and where a node does not answer', async () => {
  expect((await planWithoutIdentity(settled())).notes).toEqual([
    'what the nodes run was not compared: that takes the age identity, and a way to the nodes',
  ])
  const { faults } = talosState(bench.sandbox.world)
  faults.hang('demo-workers-2')
  const plan = await planOf(settled())
  faults.release('demo-workers-2')
  expect(plan.changes).toEqual([])
  expect(plan.notes).toEqual([expect.stringMatching(/^what demo-workers-2 runs was not compared/)])
})

it('what only a node that is recreated takes up is refused with its fields, before anything is touched', async () => {
  const before = runningConfig(bench, 'demo-workers-1')
  const wanted = settled({ talos: { ...rebooting, diskEncryption: true } })
  await expect(applyCluster(bench.run(), { file: wanted })).rejects.toMatchObject({
    code: 'plan-refused',
    findings: [{ message: expect.stringContaining('VolumeConfig[STATE].encryption') }],
  })
  expect(runningConfig(bench, 'demo-workers-1')).toBe(before)
})
