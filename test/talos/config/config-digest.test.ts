import { expect, test } from 'vitest'
import type { ClusterSpec } from '../../../src/spec/cluster-spec.ts'
import { configDigest } from '../../../src/talos/config/config-digest.ts'
import { clusterSpec } from '../../plan/specs.ts'
import { clusterNode } from '../nodes.ts'

const node = clusterNode()

test('a digest needs no secret and no address, and is always the same', () => {
  const endpoints = [
    { type: 'loadBalancer' },
    { type: 'floatingIp' },
    { type: 'vip', address: '10.0.64.100' },
    { type: 'dns', name: 'k8s.example.com' },
  ] as const
  const digests = endpoints.map((endpoint) => configDigest(clusterSpec({ endpoint }), node))
  expect(digests).toEqual(
    endpoints.map((endpoint) => configDigest(clusterSpec({ endpoint }), { ...node })),
  )
  expect(new Set(digests).size).toBe(4)
  for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{64}$/)
})

const base = clusterSpec()
const changes: Record<string, ClusterSpec> = {
  'a Talos version': { ...base, talos: { ...base.talos, version: 'v1.12.2' } },
  'a Kubernetes version': { ...base, kubernetes: { ...base.kubernetes, version: '1.35.1' } },
  'an extension': { ...base, talos: { ...base.talos, extensions: ['siderolabs/iscsi-tools'] } },
  'a patch': { ...base, talos: { ...base.talos, patches: ['machine: {sysctls: {a: b}}'] } },
}
test.for(Object.keys(changes))('%s changes the digest', (name) => {
  expect(configDigest(changes[name] ?? base, node)).not.toBe(configDigest(base, node))
})

test('what is no part of the config does not change the digest', () => {
  const elsewhere = { ...base, loadBalancer: { ...base.loadBalancer, type: 'lb21' } }
  expect(configDigest(elsewhere, { ...node, location: 'fsn1' })).toBe(configDigest(base, node))
})
