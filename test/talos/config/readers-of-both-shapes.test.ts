import { beforeAll, expect, test } from 'vitest'
import type { Json } from '../../../src/lib/json.ts'
import { applyPatches } from '../../../src/talos/config/apply-patch.ts'
import { authorityEnds } from '../../../src/talos/config/authority-ends.ts'
import { imagePaths, isComponentImage } from '../../../src/talos/config/component-images.ts'
import type { ConfigDocument } from '../../../src/talos/config/config-document.ts'
import { settingsIn } from '../../../src/talos/config/fixed-settings.ts'
import { generateSecretsBundle } from '../../../src/talos/config/generate-secrets-bundle.ts'
import { secretsOfMachineConfig } from '../../../src/talos/config/import-secrets.ts'
import { machineConfigDocuments } from '../../../src/talos/config/machine-config.ts'
import { registeredTaintsOf } from '../../../src/talos/config/registered-taints.ts'
import { oldView } from '../../../src/talos/config/reshape/old-view.ts'
import { reshapeConfig } from '../../../src/talos/config/reshape/reshape-config.ts'
import {
  oldPlaces,
  placeInDocuments,
  settingHomes,
} from '../../../src/talos/config/reshape/setting-homes.ts'
import type { SecretsBundle } from '../../../src/talos/config/secrets-bundle.ts'
import { componentProblems } from '../../../src/talos/config/validate/component-problems.ts'
import { patchFaults } from '../../../src/talos/config/validate/patch-steps.ts'
import { pinnedImageProblems } from '../../../src/talos/config/validate/pinned-images.ts'
import { valueAt } from '../../../src/talos/config/validate/read-config.ts'
import { validateConfig } from '../../../src/talos/config/validate/validate-config.ts'
import { formatYamlDocuments } from '../../../src/talos/config/yaml-documents.ts'
import { clusterSpec } from '../../plan/specs.ts'
import { fixedKeyMaker } from '../fixed-key-maker.ts'
import { clusterNode } from '../nodes.ts'
import { testPki } from '../pki-environment.ts'

let secrets: SecretsBundle
beforeAll(async () => {
  secrets = await generateSecretsBundle(testPki)
})

const base = clusterSpec()
const spec = clusterSpec({
  talos: { ...base.talos, version: 'v1.14.1' },
  kubernetes: { ...base.kubernetes, version: '1.36.3' },
})
type Role = 'control-plane' | 'worker'

function shapes(role: Role, ...patches: Json[]): (readonly ConfigDocument[])[] {
  const taints = [{ key: 'example.com/gpu', value: 'true', effect: 'NoSchedule' as const }]
  const node = clusterNode({ role, taints: role === 'worker' ? taints : [] })
  const made = machineConfigDocuments({ spec, node, secrets })
  const old = applyPatches(
    made,
    patches.map((patch) => ({ text: JSON.stringify(patch), source: 'a patch' })),
  )
  return [old, reshapeConfig(old).documents]
}

test.each(['control-plane', 'worker'] as const)(
  'of a %s what is read out of a config does not depend on its shape',
  (role) => {
    const [old = [], now = []] = shapes(role)
    const read = (documents: readonly ConfigDocument[]) => {
      const view = oldView(documents)
      return {
        images: Object.values(imagePaths).map((path) =>
          role === 'worker' && path[0] === 'cluster' ? undefined : valueAt(view, ...path),
        ),
        sans: role === 'worker' ? undefined : valueAt(view, 'cluster', 'apiServer', 'certSANs'),
        ends: authorityEnds(documents),
        taints: registeredTaintsOf(documents).filter(({ key }) => !key.startsWith('node-role.')),
        settings: [...settingsIn(documents)].map(([setting, found]) => [
          setting,
          role === 'worker' && setting === 'talosNetwork' ? [] : found.map(({ values }) => values),
        ]),
      }
    }
    expect(read(now)).toEqual(read(old))
    expect(read(now).ends).toHaveLength(role === 'worker' ? 2 : 4)
  },
)

test('the secrets of a cluster are read out of the documents as well', () => {
  const [, now = []] = shapes('control-plane')
  expect(secretsOfMachineConfig(formatYamlDocuments(now), fixedKeyMaker)).toEqual(secrets)
})

test('what stops a component is told at its document and at its place in the old shape', () => {
  const patch = {
    cluster: { apiServer: { extraArgs: { 'no-such-flag': '1' }, image: 'example.com/a:v1.35.0' } },
    machine: { kubelet: { extraConfig: { featureGates: { NoSuchGate: true } } } },
  }
  const [old = [], now = []] = shapes('control-plane', patch)
  const [before, after] = [componentProblems(old, 14), componentProblems(now, 14)]
  expect(before.length).toBeGreaterThan(1)
  expect(after.map(({ message }) => message)).toEqual(before.map(({ message }) => message))
  expect(after.map(({ places }) => places.at(-1))).toEqual(before.map(({ places }) => places[0]))
  expect(after[0]?.places[0]).toEqual({
    kind: 'KubeAPIServerConfig',
    name: '',
    path: ['extraArgs', 'no-such-flag'],
  })
  const [meantOld = [], meantNow = []] = shapes('control-plane')
  const [pinned] = pinnedImageProblems(now, meantNow)
  expect(pinned?.places.map(({ kind, path }) => [kind, path.join('.')])).toEqual([
    ['KubeAPIServerConfig', 'image'],
    ['', 'cluster.apiServer.image'],
  ])
  // A message names what the config has.
  expect(pinned?.message).toMatch(/^KubeAPIServerConfig\.image pins kube-apiserver/)
  const [pinnedBefore, ...others] = pinnedImageProblems(old, meantOld)
  expect(pinnedBefore?.message).toMatch(/^cluster\.apiServer\.image pins kube-apiserver/)
  expect(others).toEqual([])
})

test('a patch of the old shape for a node that has documents is told what to write instead', () => {
  const [, now = []] = shapes('worker')
  const text = JSON.stringify({
    machine: { kubelet: { extraConfig: { maxPods: 50 }, extraMounts: [{ destination: '/own' }] } },
  })
  const faults = patchFaults(now, [{ text, source: 'a patch' }], (config) =>
    validateConfig(config, 14, 1),
  )
  expect(faults).toMatchObject([
    {
      message: 'KubeletConfig and machine.kubelet exclude each other',
      hint: 'Write documents, which this config has instead: KubeletConfig.config.maxPods for machine.kubelet.extraConfig.maxPods.',
    },
  ])
})

test('a worker registers with the taints of its document', () => {
  const [, now = []] = shapes('worker', {})
  const patch = { apiVersion: 'v1alpha1', kind: 'KubeNodeConfig', taints: { a: 'b:NoExecute' } }
  const patched = applyPatches(now, [{ text: JSON.stringify(patch), source: 'a patch' }])
  expect(registeredTaintsOf(patched)).toContainEqual({ key: 'a', value: 'b', effect: 'NoExecute' })
})

test('a field is known as an image of a component in both shapes', () => {
  expect(['machine.kubelet.image', 'KubeletConfig.image'].map(isComponentImage)).toEqual([
    true,
    true,
  ])
  expect(isComponentImage('KubeCoreDNSConfig.image')).toBe(false)
})

test('each place of a document leads back to where the setting stood', () => {
  for (const { old, kind, path } of settingHomes) {
    const back = oldPlaces({ kind, name: '', path: [...path, 'below'] })
    expect(back.map((place) => place.path)).toContainEqual([...old, 'below'])
    expect(placeInDocuments([...old, 'below'])).toEqual({
      kind,
      name: '',
      path: [...path, 'below'],
    })
  }
  expect(oldPlaces({ kind: 'KubeAdmissionControlConfig', name: 'a', path: ['name'] })).toEqual([
    { kind: '', name: '', path: ['cluster', 'apiServer', 'admissionControl'] },
  ])
  expect(oldPlaces({ kind: 'LinkConfig', name: 'eth0', path: ['mtu'] })).toEqual([])
  expect(placeInDocuments(['machine', 'kubelet', 'extraMounts'])).toBeUndefined()
})
