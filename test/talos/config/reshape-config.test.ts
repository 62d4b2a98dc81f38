import { expect, test } from 'vitest'
import type { Json, JsonObject } from '../../../src/lib/json.ts'
import { applyPatches } from '../../../src/talos/config/apply-patch.ts'
import { unpatchedPublicConfig } from '../../../src/talos/config/config-digest.ts'
import { placelessProblems } from '../../../src/talos/config/reshape/placeless-problems.ts'
import { reshapeConfig } from '../../../src/talos/config/reshape/reshape-config.ts'
import { patchFaults } from '../../../src/talos/config/validate/patch-steps.ts'
import { clusterSpec } from '../../plan/specs.ts'
import { clusterNode } from '../../talos/nodes.ts'

// What a node reads out of the documents, the peer of test/peers/talos-shape compares.

const talos = { ...clusterSpec().talos, version: 'v1.13.9' }
const base = (role: 'control-plane' | 'worker' = 'control-plane', more: JsonObject = {}) =>
  unpatchedPublicConfig(
    clusterSpec({ talos, kubernetes: { ...clusterSpec().kubernetes, ...more } }),
    clusterNode({ role }),
  )
const patchOf = (patch: Json) => ({ text: JSON.stringify(patch), source: 'a patch' })
const reshaped = (patch: Json, role: 'control-plane' | 'worker' = 'control-plane') =>
  reshapeConfig(applyPatches(base(role), [patchOf(patch)]))
const documentOf = (kind: string, documents: readonly JsonObject[]) =>
  documents.find((document) => document['kind'] === kind)

test('of our own configs nothing stays behind but what documents do not replace', () => {
  for (const role of ['control-plane', 'worker'] as const) {
    const { documents, placeless } = reshapeConfig(base(role))
    expect(placeless).toEqual([])
    const [legacy] = documents
    const keys = (section: string) => Object.keys(Object(legacy?.[section])).sort()
    expect(keys('machine')).toEqual(['ca', 'certSANs', 'features', 'token', 'type'])
    expect(keys('cluster')).toEqual(
      role === 'worker'
        ? ['externalCloudProvider', 'token']
        : ['etcd', 'externalCloudProvider', 'token'],
    )
  }
})

test('each setting without a place is an error at its place in the patch, with the way out', () => {
  const patches = [
    patchOf({ machine: { nodeLabels: { 'example.com/a': 'b' } } }),
    patchOf({
      machine: {
        kubelet: { extraMounts: [{ destination: '/var/data' }], disableManifestsDirectory: false },
        install: { extraKernelArgs: ['quiet'] },
      },
      cluster: {
        apiServer: {
          extraVolumes: [{ hostPath: '/etc/own', mountPath: '/etc/own' }],
          extraArgs: { 'anonymous-auth': 'true', 'oidc-ca-file': '/etc/own/ca.crt', v: '2' },
        },
        network: { cni: { name: 'custom', urls: ['https://example.com/cni.yaml'] } },
        discovery: { registries: { kubernetes: { disabled: false } } },
      },
    }),
  ]
  const faults = patchFaults(base(), patches, placelessProblems)
  expect(faults.every(({ patch }) => patch === patches[1])).toBe(true)
  expect(faults.map(({ place, hint }) => [place.path.join('.'), hint]).sort()).toEqual([
    ['cluster.apiServer.extraArgs.anonymous-auth', 'Write a KubeAuthenticationConfig document.'],
    ['cluster.apiServer.extraArgs.oidc-ca-file', 'Write a KubeAuthenticationConfig document.'],
    ['cluster.apiServer.extraVolumes', expect.stringContaining('`talos.contract: v1.13`')],
    [
      'cluster.discovery.registries.kubernetes.disabled',
      expect.stringContaining('`talos.contract: v1.13`'),
    ],
    ['cluster.network.cni.name', expect.stringContaining('KubeExternalManifestConfig')],
    ['cluster.network.cni.urls', expect.stringContaining('KubeExternalManifestConfig')],
    ['machine.install.extraKernelArgs', expect.stringContaining('talos.kernelArgs')],
    [
      'machine.kubelet.disableManifestsDirectory',
      expect.stringContaining('`talos.contract: v1.13`'),
    ],
    ['machine.kubelet.extraMounts', expect.stringContaining('`talos.contract: v1.13`')],
  ])
  expect(faults[0]?.message).toMatch(/ has no place in the documents of the contract v1\.14$/)
})

test('what is for control planes means nothing on a worker, and needs no place there', () => {
  const patch = { cluster: { apiServer: { extraVolumes: [{ hostPath: '/a', mountPath: '/a' }] } } }
  expect(reshaped(patch, 'worker').placeless).toEqual([])
  expect(documentOf('KubeAPIServerConfig', reshaped(patch, 'worker').documents)).toBeUndefined()
})

test('an identity provider given by arguments is the same one as a document', () => {
  const jwt = (extraArgs: JsonObject) => {
    const { documents, placeless } = reshaped({ cluster: { apiServer: { extraArgs } } })
    expect(placeless).toEqual([])
    expect(documentOf('KubeAPIServerConfig', documents)).not.toHaveProperty('extraArgs')
    return Object(documentOf('KubeAuthenticationConfig', documents)?.['configuration']).jwt
  }
  const issuer = { 'oidc-issuer-url': 'https://id.example.com', 'oidc-client-id': 'cluster' }
  expect(jwt(issuer)).toEqual([
    {
      issuer: { url: 'https://id.example.com', audiences: ['cluster'] },
      claimMappings: { username: { claim: 'sub', prefix: 'https://id.example.com#' } },
    },
  ])
  const more = {
    'oidc-username-claim': 'email',
    'oidc-groups-claim': 'groups',
    'oidc-groups-prefix': 'oidc:',
    'oidc-required-claim': ['org=example,team=a=b', 'level=2'],
  }
  expect(jwt({ ...issuer, ...more })).toEqual([
    {
      issuer: { url: 'https://id.example.com', audiences: ['cluster'] },
      claimMappings: {
        username: { claim: 'email', prefix: '' },
        groups: { claim: 'groups', prefix: 'oidc:' },
      },
      claimValidationRules: [
        { claim: 'org', requiredValue: 'example' },
        { claim: 'team', requiredValue: 'a=b' },
        { claim: 'level', requiredValue: '2' },
      ],
    },
  ])
  const [{ claimMappings }] = jwt({ ...issuer, 'oidc-username-prefix': '-' })
  expect(claimMappings).toEqual({ username: { claim: 'sub', prefix: '' } })
})

test('documents that stand beside the old sections have the last word', () => {
  const resolver = {
    apiVersion: 'v1alpha1',
    kind: 'ResolverConfig',
    searchDomains: { disableDefault: true },
  }
  const volume = {
    apiVersion: 'v1alpha1',
    kind: 'VolumeConfig',
    name: 'EPHEMERAL',
    mount: { secure: false },
    provisioning: { maxSize: '50GiB' },
  }
  const { documents } = reshapeConfig(applyPatches(base(), [patchOf(resolver), patchOf(volume)]))
  expect(documentOf('ResolverConfig', documents)).toEqual({
    ...resolver,
    hostDNS: { enabled: true, forwardKubeDNSToHost: false },
  })
  expect(documentOf('VolumeConfig', documents)).toEqual(volume)
})
