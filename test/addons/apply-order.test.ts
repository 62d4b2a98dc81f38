import { expect, test } from 'vitest'
import { type ApplyAddonsOptions, applyAddons } from '../../src/addons/apply.ts'
import { findAddonDrift } from '../../src/addons/find-drift.ts'
import type { Progress } from '../../src/lib/progress.ts'
import { Redactor } from '../../src/lib/redactor.ts'
import { addonsOf } from '../../src/planner/hetzner-talos/addons-of.ts'
import type { ClusterSpec } from '../../src/spec/cluster-spec.ts'
import { silentProgress } from '../silent-progress.ts'
import { customChart, withCustom } from './custom-addons.ts'
import { namingRenderer, RecordingCluster } from './recording-cluster.ts'
import { sampleFacts, sampleSpec } from './sample-spec.ts'

const token = 'hetzner-token-that-nobody-may-see'

function optionsFor(
  cluster: RecordingCluster,
  change: Partial<ApplyAddonsOptions<ClusterSpec>> = {},
) {
  return {
    spec: sampleSpec(),
    addonsOf,
    uid: sampleFacts.uid,
    nodes: ['demo-control-plane-1'],
    credentials: { token, network: 'demo' },
    cluster,
    renderer: namingRenderer,
    recorded: {},
    progress: silentProgress,
    redactor: new Redactor(),
    ...change,
  }
}

test('the credentials come first, then what makes nodes usable, then the gate, then storage', async () => {
  const cluster = new RecordingCluster()
  await applyAddons(optionsFor(cluster))
  expect(cluster.steps).toEqual([
    'apply hetzner-credentials',
    'apply cilium',
    'apply hcloud-ccm',
    'apply csr-approver',
    'gate',
    'apply hcloud-csi',
    'wait for hcloud-csi',
    'wait for csi.hetzner.cloud',
    'wait for cilium',
    'wait for hcloud-ccm',
    'wait for csr-approver',
  ])
})

test('the token is in an object of ours alone, and known to the redactor', async () => {
  const cluster = new RecordingCluster()
  const redactor = new Redactor()
  await applyAddons(optionsFor(cluster, { redactor }))
  const holding = cluster.sets.filter((set) => JSON.stringify(set).includes(btoa(token)))
  expect(holding.map(({ name }) => name)).toEqual(['hetzner-credentials'])
  expect(redactor.redact(`${token} ${btoa(token)}`)).toBe('*** ***')
})

test('what fails to render leaves the cluster untouched', async () => {
  const cluster = new RecordingCluster()
  const renderer = {
    render: async () => {
      throw new Error('no chart')
    },
  }
  await expect(applyAddons(optionsFor(cluster, { renderer }))).rejects.toThrow('no chart')
  expect(cluster.steps).toEqual([])
})

test('addons that are no longer wanted are removed, the last installed first', async () => {
  const cluster = new RecordingCluster()
  const disabled = { enabled: false, values: {} }
  const spec = sampleSpec({
    addons: { hcloudCcm: disabled, csrApprover: disabled, hcloudCsi: disabled, custom: [] },
  })
  const entry = { version: '1', digest: 'x' }
  const recorded = { cilium: entry, 'hcloud-ccm': entry, 'hcloud-csi': entry, foreign: entry }
  const { addons } = await applyAddons(optionsFor(cluster, { spec, recorded }))
  expect(Object.keys(addons)).toEqual(['cilium'])
  expect(cluster.steps.filter((step) => step.startsWith('remove'))).toEqual([
    'remove hcloud-csi',
    'remove hcloud-ccm',
    'remove hetzner-credentials',
  ])
})

test('what is left is neither applied nor waited for, and what is known of it stays', async () => {
  const cluster = new RecordingCluster()
  const recorded = { 'csr-approver': { version: '1', digest: 'x' } }
  const left = new Set(['csr-approver', 'hcloud-ccm'])
  const { addons } = await applyAddons(optionsFor(cluster, { recorded, left }))
  expect(cluster.steps.filter((step) => step.includes('csr-approver'))).toEqual([])
  expect(addons['csr-approver']).toEqual(recorded['csr-approver'])
  // One that was never installed cannot be left.
  expect(cluster.steps).toContain('apply hcloud-ccm')
})

test('a node of somebody else that is not Ready is a warning, not an endless wait', async () => {
  const cluster = new RecordingCluster()
  cluster.foreign = ['stranger']
  const warnings: string[] = []
  const progress: Progress = { ...silentProgress, warn: (message) => warnings.push(message) }
  await applyAddons(optionsFor(cluster, { progress }))
  expect(cluster.steps).toContain('wait for cilium without 1')
  expect(warnings[0]).toContain('node stranger is not of this plan and not Ready')
})

test('without a network of ours nothing waits for pods', async () => {
  const cluster = new RecordingCluster()
  const spec = sampleSpec({ cni: { type: 'none', values: {} } })
  await applyAddons(optionsFor(cluster, { spec }))
  expect(cluster.steps.filter((step) => step.startsWith('wait'))).toEqual([])
})

test('drift is told by addon', async () => {
  const cluster = new RecordingCluster()
  expect(await findAddonDrift(sampleSpec(), sampleFacts, optionsFor(cluster))).toEqual([])
  const ref = { apiVersion: 'apps/v1', kind: 'DaemonSet', namespace: 'kube-system', name: 'cilium' }
  cluster.drift = [{ ref, type: 'changed', paths: ['spec'] }]
  const found = await findAddonDrift(sampleSpec(), sampleFacts, optionsFor(cluster))
  expect(found.map(({ addon }) => addon)).toContain('cilium')
})

test('an addon of the file is waited for as long as it says', async () => {
  const cluster = new RecordingCluster()
  const condition = {
    apiVersion: 'example.com/v1',
    kind: 'Greeting',
    name: 'a',
    condition: 'Heard',
  }
  const slow = customChart({ timeoutMinutes: 25, conditions: [condition] })
  await applyAddons(optionsFor(cluster, { spec: withCustom([slow]) }))
  expect(cluster.patience).toEqual({
    cilium: 600_000,
    'hcloud-ccm': 600_000,
    'csr-approver': 600_000,
    'hcloud-csi': 600_000,
    shop: 1_500_000,
    'the conditions of shop': 1_500_000,
  })
})
