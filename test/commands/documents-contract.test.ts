import { afterAll, beforeAll, expect, it } from 'vitest'
import { restoreCluster } from '../../src/commands/backup/restore-cluster.ts'
import { snapshotCluster } from '../../src/commands/backup/snapshot-cluster.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { upgradeCluster } from '../../src/commands/cluster/upgrade-cluster.ts'
import { runDoctor } from '../../src/commands/doctor/run-doctor.ts'
import { revokeCluster } from '../../src/commands/keys/revoke-cluster.ts'
import { compareNodeConfig } from '../../src/commands/talos/node-config.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { toApprovedPlan } from '../../src/plan/verdict.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import { talosState } from '../../src/sandbox/talos/talos-state.ts'
import { type Bench, startBench } from './harness.ts'
import { KeyRing } from './key-bench.ts'
import { hasNote, loseEtcd, openApi, writeNote } from './lost-etcd.ts'
import { bootIds, runningConfig } from './node-hands.ts'
import { changesDuring, expectTidy, inventoryOf } from './world-facts.ts'

// One cluster after another, each from its birth or its move through all that is done to clusters.

interface Asked {
  readonly contract?: string
  readonly talos?: string
  readonly kubernetes?: string
  readonly workers?: number
  readonly patches?: readonly JsonObject[]
}

const nodes = ['demo-control-plane-1', 'demo-workers-1', 'demo-workers-2']

/** Of both shapes: what they say is merged into the one that the cluster has. */
const oldPatch: JsonObject = {
  machine: { kubelet: { extraConfig: { maxPods: 150 } }, nodeLabels: { 'example.com/a': 'b' } },
}
const newPatch: JsonObject = {
  apiVersion: 'v1alpha1',
  kind: 'KubeletConfig',
  config: { podsPerCore: 20 },
}

class Life {
  readonly bench: Bench
  readonly ring: KeyRing

  constructor(bench: Bench, ring: KeyRing) {
    this.bench = bench
    this.ring = ring
  }

  async file({
    contract = 'v1.14',
    talos = 'v1.14.1',
    kubernetes = '1.37.0',
    workers = 1,
    patches = [oldPatch],
  }: Asked = {}): Promise<ClusterFile> {
    const file = await this.ring.file({ workers })
    const wanted = {
      ...JSON.parse(file.text),
      ...openApi,
      talos: { version: talos, patches, ...(contract !== '' && { contract }) },
      kubernetes: { version: kubernetes },
    }
    return { ...file, text: JSON.stringify(wanted, null, 2) }
  }

  run() {
    return this.ring.holding()
  }

  async plan(file: ClusterFile, verb: 'apply' | 'upgrade' = 'apply'): Promise<Plan> {
    return (await planCluster(this.run(), { file, verb })).plan
  }

  /** Nothing is to be done, no node runs anything else than what is wanted, and nobody finds anything wrong. */
  async expectSettled(asked: Asked = {}): Promise<void> {
    const file = await this.file(asked)
    expect(await this.plan(file)).toMatchObject({ changes: [], waiting: [], findings: [] })
    const { contract, nodes: known } = await inventoryOf(this.bench)
    expect([contract, ...known.map((node) => node.contract)]).toEqual(
      Array.from({ length: known.length + 1 }, () => 'v1.14'),
    )
    for (const { name } of known) {
      const { differences } = await compareNodeConfig(this.run(), { file, node: name })
      expect(differences).toEqual([])
      const config = runningConfig(this.bench, name)
      expect(config).toContain('kind: KubeletConfig')
      expect(config).not.toMatch(/^ {2}(kubelet|install|nodeLabels|network|controlPlane):/m)
    }
    const diagnoses = await runDoctor(this.run(), { file, github: 'elsewhere' })
    expect(diagnoses.filter(({ verdict }) => verdict === 'bad')).toEqual([])
    await expectTidy(this.bench)
  }

  /** The same world for whoever holds the present keys. */
  get holder(): Bench {
    return { ...this.bench, run: () => this.run() }
  }

  guests() {
    return [...talosState(this.bench.sandbox.world).nodes]
  }
}

async function begin(): Promise<Life> {
  const bench = await startBench()
  return new Life(bench, await KeyRing.begin(bench, 1))
}

let born: Life
let moved: Life
beforeAll(async () => {
  born = await begin()
  moved = await begin()
})
afterAll(async () => {
  await born.bench[Symbol.asyncDispose]()
  await moved.bench[Symbol.asyncDispose]()
})

it('a cluster is born with the documents, and programs cannot be run from /var of its nodes', async () => {
  const asked = { talos: 'v1.14.0', kubernetes: '1.36.3', patches: [oldPatch, newPatch] }
  await applyCluster(born.run(), { file: await born.file(asked) })
  await born.expectSettled(asked)
  expect(runningConfig(born.bench, nodes[1] ?? '')).toMatch(/maxPods: 150\n\s+podsPerCore: 20/)
  for (const { configs } of born.guests()) {
    const kinds = configs.booted?.documents.others.map(({ kind }) => kind)
    expect(kinds).toEqual(expect.arrayContaining(['VolumeConfig', 'SecurityProfileConfig']))
  }
})

it('it is upgraded, and grows', async () => {
  const asked = { talos: 'v1.14.1', kubernetes: '1.36.3' }
  await applyCluster(born.run(), { file: await born.file({ ...asked, talos: 'v1.14.0' }) })
  await upgradeCluster(born.run(), { file: await born.file(asked) })
  await born.expectSettled(asked)
  await upgradeCluster(born.run(), { file: await born.file() })
  await born.expectSettled()
  await applyCluster(born.run(), { file: await born.file({ workers: 2 }) })
  await born.expectSettled({ workers: 2 })
})

it('its keys are revoked, and its etcd is restored', async () => {
  const note = await born.file({ workers: 2 })
  await writeNote(born.holder, note, 'kept')
  await born.ring.add()
  const file = await born.file({ workers: 2 })
  expect(await revokeCluster(born.run(), { file })).toMatchObject({ revoked: true, nodes: 3 })
  const folder = `${born.bench.sandbox.endpoints.git.folder}-snapshots/`
  const { place } = await snapshotCluster(born.run(), { file, to: folder })
  await loseEtcd(born.bench.sandbox.world)
  const confirm = async () => true
  await restoreCluster(born.run(), { file, snapshot: place, discardEtcd: false, confirm })
  expect(await hasNote(born.holder, file, 'kept')).toBe(true)
  await applyCluster(born.run(), { file })
  await born.expectSettled({ workers: 2 })
})

const withMounts: JsonObject = {
  machine: { kubelet: { extraMounts: [{ destination: '/var/own', type: 'bind', source: '/a' }] } },
}

it('a setting without a place is an error at its line, whatever the file says of the contract', async () => {
  const old = { contract: 'v1.13', patches: [oldPatch, withMounts] }
  await applyCluster(moved.run(), { file: await moved.file(old) })
  const changes = await changesDuring(moved.bench.sandbox.world, async () => {
    const file = await moved.file({ patches: [oldPatch, withMounts] })
    await expect(applyCluster(moved.run(), { file })).rejects.toMatchObject({
      code: 'spec-invalid',
      findings: expect.arrayContaining([
        {
          severity: 'error',
          path: ['talos', 'patches', 1],
          position: expect.anything(),
          message:
            'machine.kubelet.extraMounts has no place in the documents of the contract v1.14',
          hint: 'Remove it, or keep the shape that has it with `talos.contract: v1.13`.',
        },
      ]),
    })
  })
  expect(changes).toEqual([])
  await applyCluster(moved.run(), { file: await moved.file({ contract: 'v1.13' }) })
})

it('a cluster is moved by a plan that names the fields which differ, in their new places', async () => {
  const file = await moved.file()
  const plan = await moved.plan(file)
  expect(plan.findings).toEqual([])
  expect(plan.notes).toContainEqual(
    expect.stringContaining('the machine configs of 2 nodes move to the contract v1.14'),
  )
  expect(plan.changes.map(({ key, action, risk }) => [key, action, risk])).toEqual([
    ['node/demo-control-plane-1', 'update', 'reboot'],
    ['node/demo-workers-1', 'update', 'reboot'],
  ])
  const additions = [
    'FilesystemTrimConfig',
    'FilesystemTrimConfig.interval',
    'SecurityProfileConfig',
    'SecurityProfileConfig.workloadIsolation',
    'VolumeConfig[EPHEMERAL]',
    'VolumeConfig[EPHEMERAL].mount.secure',
  ]
  const [controlPlane, worker] = plan.changes.map(({ fields }) => fields.map(({ path }) => path))
  expect(worker?.toSorted()).toEqual([...additions, 'contract'])
  expect(controlPlane?.filter((path) => !worker?.includes(path)).toSorted()).toEqual([
    'KubeAuthenticationConfig.configuration.anonymous.conditions',
    'KubeAuthenticationConfig.configuration.anonymous.enabled',
  ])
  // A plan without the identity says the same: what was approved is what is done.
  const keyless = await planCluster(moved.ring.holding([]), { file, verb: 'apply' })
  expect(keyless.plan.digest).toBe(plan.digest)

  const boots = bootIds(moved.bench)
  await applyCluster(moved.run(), { file, approved: toApprovedPlan(plan) })
  const after = bootIds(moved.bench)
  for (const name of nodes.slice(0, 2)) expect(after[name]).not.toBe(boots[name])
  for (const { configs } of moved.guests()) expect(configs.booted?.text).toBe(configs.active?.text)
  await moved.expectSettled()
})

it('a silent file keeps the documents, and what has no place in them is an error of its plan', async () => {
  const silent = await moved.file({ contract: '', patches: [oldPatch, withMounts] })
  expect((await moved.plan(silent)).findings).toContainEqual(
    expect.objectContaining({
      severity: 'error',
      path: ['talos', 'patches', 1],
      position: expect.anything(),
      message: expect.stringContaining('has no place in the documents of the contract v1.14'),
    }),
  )
  const changes = await changesDuring(moved.bench.sandbox.world, async () => {
    await expect(applyCluster(moved.run(), { file: silent })).rejects.toMatchObject({
      code: 'plan-refused',
    })
  })
  expect(changes).toEqual([])
})

it('it lives on: it grows, loses its etcd, and is revoked', async () => {
  await applyCluster(moved.run(), { file: await moved.file({ workers: 2 }) })
  await moved.expectSettled({ workers: 2 })
  const file = await moved.file({ workers: 2 })
  await writeNote(moved.holder, file, 'kept')
  const folder = `${moved.bench.sandbox.endpoints.git.folder}-snapshots/`
  const { place } = await snapshotCluster(moved.run(), { file, to: folder })
  await loseEtcd(moved.bench.sandbox.world)
  const confirm = async () => true
  await restoreCluster(moved.run(), { file, snapshot: place, discardEtcd: false, confirm })
  expect(await hasNote(moved.holder, file, 'kept')).toBe(true)
  await moved.ring.add()
  const revoked = await moved.file({ workers: 2 })
  expect(await revokeCluster(moved.run(), { file: revoked })).toMatchObject({ revoked: true })
  await applyCluster(moved.run(), { file: revoked })
  await moved.expectSettled({ workers: 2 })
})

it('it goes back to the old shape, with a warning', async () => {
  const file = await moved.file({ workers: 2, contract: 'v1.13' })
  const plan = await moved.plan(file)
  expect(plan.findings).toMatchObject([{ severity: 'warning', path: ['talos', 'contract'] }])
  const fields = plan.changes.flatMap((change) => change.fields)
  expect(fields.filter(({ path, after }) => path !== 'contract' && after !== undefined)).toEqual([])
  await applyCluster(moved.run(), { file, approved: toApprovedPlan(plan) })
  expect(runningConfig(moved.bench, nodes[2] ?? '')).not.toContain('kind: KubeletConfig')
  expect((await moved.plan(file)).changes).toEqual([])
  await expectTidy(moved.bench)
})
