import { expect, test } from 'vitest'
import { gateMissing } from '../../src/kubernetes/node-gate.ts'
import { readNode, uninitializedTaint } from '../../src/kubernetes/nodes.ts'
import type { JsonObject } from '../../src/lib/json.ts'

function node(spec: JsonObject, ready = true) {
  return readNode({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'demo-workers-1' },
    spec,
    status: {
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', message: 'cni not ready' }],
      nodeInfo: { osImage: 'Talos (v1.9.0)', bootID: 'b1', kubeletVersion: 'v1.32.0' },
      addresses: [{ type: 'InternalIP', address: '10.0.64.5' }],
    },
  })
}

const all = { nodes: ['demo-workers-1'], ready: true, initialized: true, certificates: true }
const known = { providerID: 'hcloud://1' }
const tainted = {
  ...known,
  taints: [{ key: uninitializedTaint, effect: 'NoSchedule', value: 'true' }],
}

test.each([
  ['nothing is missing', [node(known)], all, undefined],
  ['a node has not joined', [], all, 'demo-workers-1 has not joined yet'],
  ['no provider id', [node({})], all, 'demo-workers-1 has no provider id yet'],
  [
    'the taint',
    [node(tainted)],
    all,
    'demo-workers-1 still carries the taint of the uninitialized',
  ],
  ['not Ready', [node(known, false)], all, 'demo-workers-1 is not Ready: cni not ready'],
  [
    'not Ready, without a network of ours',
    [node(known, false)],
    { ...all, ready: false },
    undefined,
  ],
  ['no provider id, without its controller', [node({})], { ...all, initialized: false }, undefined],
])('%s', (_name, nodes, requirements, missing) => {
  expect(gateMissing(nodes, requirements)).toBe(missing)
})

test('a node tells its Talos version, boot and address', () => {
  expect(node(known)).toMatchObject({
    talosVersion: 'v1.9.0',
    bootId: 'b1',
    kubeletVersion: 'v1.32.0',
    internalIp: '10.0.64.5',
    providerId: 'hcloud://1',
    ready: true,
  })
})
