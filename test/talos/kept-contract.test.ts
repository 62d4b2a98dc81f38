import { expect, test } from 'vitest'
import type { Inventory, InventoryNode } from '../../src/plan/inventory.ts'
import { clusterContract, nodeContract } from '../../src/talos/kept-contract.ts'

const node = (slot: number, more: Partial<InventoryNode> = {}): InventoryNode => ({
  name: `demo-workers-${slot}`,
  role: 'worker',
  pool: 'workers',
  slot,
  privateIp: `10.0.64.${slot}`,
  configDigest: 'd',
  talosVersion: 'v1.13.9',
  ...more,
})
const inventory = (nodes: InventoryNode[], contract?: string): Inventory => ({
  clusterName: 'demo',
  uid: '0123456789abcdef',
  nodes,
  addons: {},
  bootstrapped: true,
  contract,
})

test('what was written down before contracts were has those of its Talos, never above 1.13', () => {
  const versions = ['v1.9.5', 'v1.12.11', 'v1.14.1']
  const nodes = versions.map((talosVersion, index) => node(index + 1, { talosVersion }))
  expect(nodes.map(nodeContract)).toEqual(['v1.9', 'v1.12', 'v1.13'])
  expect(clusterContract(inventory(nodes))).toBe('v1.13')
  expect(clusterContract(inventory(nodes.slice(0, 2)))).toBe('v1.12')
})

test('a move that was cut off goes forward: the newest that was recorded counts', () => {
  const nodes = [node(1, { contract: 'v1.9' }), node(2, { contract: 'v1.12' })]
  expect(clusterContract(inventory(nodes, 'v1.9'))).toBe('v1.12')
  expect(clusterContract(inventory(nodes, 'v1.13'))).toBe('v1.13')
})

test('a node of which nothing is recorded does not move the others', () => {
  const nodes = [node(1, { contract: 'v1.11' }), node(2)]
  expect(clusterContract(inventory(nodes))).toBe('v1.11')
})

test('a cluster that is yet to be born has none, and one whose nodes are all gone keeps its own', () => {
  expect(clusterContract(undefined)).toBeUndefined()
  const gone = node(1, { configDigest: undefined, talosVersion: undefined })
  expect(nodeContract(gone)).toBeUndefined()
  expect(clusterContract(inventory([gone]))).toBeUndefined()
  expect(clusterContract(inventory([gone], 'v1.12'))).toBe('v1.12')
})
