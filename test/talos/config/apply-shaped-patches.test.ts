import { expect, test } from 'vitest'
import type { Json, JsonObject } from '../../../src/lib/json.ts'
import { unpatchedPublicConfig } from '../../../src/talos/config/config-digest.ts'
import { hiddenFields } from '../../../src/talos/config/hidden-fields.ts'
import {
  applyShapedPatches,
  shapedPatchFaults,
} from '../../../src/talos/config/reshape/apply-shaped-patches.ts'
import { validateConfig } from '../../../src/talos/config/validate/validate-config.ts'
import { clusterSpec } from '../../plan/specs.ts'
import { clusterNode } from '../../talos/nodes.ts'

const talos = { ...clusterSpec().talos, version: 'v1.14.1' }
const kubernetes = { ...clusterSpec().kubernetes, version: '1.37.0' }
const base = (role: 'control-plane' | 'worker' = 'control-plane') =>
  unpatchedPublicConfig(clusterSpec({ talos, kubernetes }), clusterNode({ role }))
const patchOf = (...documents: Json[]) => ({
  text: documents.map((each) => JSON.stringify(each)).join('\n---\n'),
  source: 'a patch',
})
const document = (kind: string, fields: JsonObject = {}) => ({
  apiVersion: 'v1alpha1',
  kind,
  ...fields,
})
const faultsOf = (...patches: Json[]) =>
  shapedPatchFaults(
    base(),
    patches.map((patch) => patchOf(patch)),
    (config) => validateConfig(config, 14),
  ).map(({ place, message }) => [place.kind, place.path.join('.'), message])
const ofKind = (kind: string, documents: readonly JsonObject[]) =>
  documents.find((each) => each['kind'] === kind)

test.each(['control-plane', 'worker'] as const)(
  'a node of 1.14 takes the config of a %s with placeholders, of which the state remembers none',
  (role) => {
    const documents = applyShapedPatches(base(role), [])
    expect(validateConfig(documents, 14)).toEqual([])
    const kept = Object.keys(hiddenFields(documents))
    expect(kept.filter((path) => /CA|issuer|clusterSecret|secretbox/.test(path))).toEqual([])
  },
)

test('patches of both shapes are one: what they say of the machine config first, documents after', () => {
  const documents = applyShapedPatches(base(), [
    patchOf(
      document('KubeletConfig', { config: { maxPods: 200 } }),
      { machine: { kubelet: { extraConfig: { maxPods: 100, podsPerCore: 10 } } } },
      document('FilesystemTrimConfig', { $patch: 'delete' }),
    ),
    patchOf([{ op: 'add', path: '/machine/nodeLabels/own', value: 'yes' }]),
  ])
  expect(ofKind('KubeletConfig', documents)?.['config']).toEqual({ maxPods: 200, podsPerCore: 10 })
  expect(ofKind('KubeNodeConfig', documents)?.['labels']).toMatchObject({ own: 'yes' })
  expect(ofKind('FilesystemTrimConfig', documents)).toBeUndefined()
})

test('search domains replace those before them, also by none', () => {
  const domains = (...all: string[]) =>
    document('ResolverConfig', { searchDomains: { domains: all, disableDefault: true } })
  const found = (...patches: Json[]) =>
    ofKind(
      'ResolverConfig',
      applyShapedPatches(
        base(),
        patches.map((patch) => patchOf(patch)),
      ),
    )?.['searchDomains']
  expect(found(domains('a.example.com'), domains('b.example.com'))).toEqual({
    domains: ['b.example.com'],
    disableDefault: true,
  })
  expect(found(domains('a.example.com'), domains())).toMatchObject({ domains: [] })
  expect(
    found(domains('a.example.com'), document('ResolverConfig', { searchDomains: {} })),
  ).toMatchObject({ domains: ['a.example.com'] })
})

test('a problem in a document that was converted stands at its place in the patch of the old shape', () => {
  const valid = { machine: { kubelet: { extraArgs: { v: '2' } } } }
  const [fault, ...others] = faultsOf(valid, {
    machine: { kubelet: { extraConfig: { rotateCertificates: false } } },
  })
  expect(fault?.slice(0, 2)).toEqual(['', 'machine.kubelet.extraConfig.rotateCertificates'])
  expect(others).toEqual([])
  const [ofList] = faultsOf({ machine: { kubelet: { nodeIP: { validSubnets: ['nowhere'] } } } })
  expect(ofList?.slice(0, 2)).toEqual(['', 'machine.kubelet.nodeIP.validSubnets.0'])
})

test('one in a patch that is a document stands in that document', () => {
  const faults = faultsOf(document('KubeletConfig', { config: { rotateCertificates: false } }))
  expect(faults.map((fault) => fault.slice(0, 2))).toEqual([
    ['KubeletConfig', 'config.rotateCertificates'],
  ])
})

test('what has no place is told once, and a patch that cannot be merged too', () => {
  const faults = faultsOf(
    { machine: { kubelet: { extraMounts: [{ destination: '/var/data' }] } } },
    { machine: { kubelet: { extraArgs: ['v'] } } },
  )
  expect(faults.map(([kind, path]) => [kind, path])).toEqual([
    ['', 'machine.kubelet.extraArgs'],
    ['', 'machine.kubelet.extraMounts'],
  ])
})
