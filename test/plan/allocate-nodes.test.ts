import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isClusterError } from '../../src/lib/cluster-error.ts'
import { allocateNodes } from '../../src/plan/allocate-nodes.ts'
import type { ClusterNode } from '../../src/plan/cluster-node.ts'
import type { Inventory } from '../../src/plan/inventory.ts'
import { clusterSpec, pool } from './specs.ts'

const counts = fc.record({
  controlPlane: fc.constantFrom(1, 3, 5),
  a: fc.nat({ max: 25 }),
  b: fc.nat({ max: 25 }),
})

function specOf(
  { controlPlane, a, b }: { controlPlane: number; a: number; b: number },
  swap = false,
) {
  const workers = [pool({ name: 'a', count: a }), pool({ name: 'b', count: b })]
  return clusterSpec({
    controlPlane: pool({ name: 'control-plane', count: controlPlane }),
    workers: swap ? workers.toReversed() : workers,
  })
}

function remember(nodes: readonly ClusterNode[]): Inventory {
  return { clusterName: 'demo', uid: '0123456789abcdef', nodes, addons: {}, bootstrapped: true }
}

const byName = (nodes: readonly ClusterNode[]) => new Map(nodes.map((node) => [node.name, node]))

describe('allocating nodes', () => {
  test('gives each node a name and an address of its own', () => {
    fc.assert(
      fc.property(counts, (count) => {
        const nodes = allocateNodes(specOf(count), undefined)
        expect(nodes).toHaveLength(count.controlPlane + count.a + count.b)
        expect(new Set(nodes.map((node) => node.name)).size).toBe(nodes.length)
        expect(new Set(nodes.map((node) => node.privateIp)).size).toBe(nodes.length)
      }),
    )
  })

  test('what is remembered keeps its slot and address, however the pools change', () => {
    fc.assert(
      fc.property(counts, counts, fc.boolean(), (before, after, swap) => {
        const old = byName(allocateNodes(specOf(before), undefined))
        const nodes = allocateNodes(specOf(after, swap), remember([...old.values()]))
        for (const node of nodes) {
          const known = old.get(node.name)
          if (!known) continue
          expect(node.privateIp).toBe(known.privateIp)
          expect(node.slot).toBe(known.slot)
        }
        expect(new Set(nodes.map((node) => node.privateIp)).size).toBe(nodes.length)
      }),
    )
  })

  test('the order of the pools in the file decides nothing', () => {
    fc.assert(
      fc.property(counts, (count) => {
        const nodes = byName(allocateNodes(specOf(count), undefined))
        expect(byName(allocateNodes(specOf(count, true), undefined))).toEqual(nodes)
      }),
    )
  })

  test('a second look at what was allocated changes nothing', () => {
    fc.assert(
      fc.property(counts, (count) => {
        const spec = specOf(count)
        const nodes = allocateNodes(spec, undefined)
        expect(allocateNodes(spec, remember(nodes))).toEqual(nodes)
      }),
    )
  })

  test('a pool that shrinks gives up its highest slots', () => {
    const nodes = allocateNodes(specOf({ controlPlane: 1, a: 4, b: 0 }), undefined)
    const fewer = allocateNodes(specOf({ controlPlane: 1, a: 2, b: 0 }), remember(nodes))
    const kept = fewer.filter((node) => node.pool === 'a').map((node) => node.name)
    expect(kept).toEqual(['demo-a-1', 'demo-a-2'])
  })

  test('a slot that fell out in the middle is filled again', () => {
    const nodes = allocateNodes(specOf({ controlPlane: 1, a: 3, b: 0 }), undefined)
    const gone = nodes.filter((node) => node.name !== 'demo-a-2')
    const again = allocateNodes(specOf({ controlPlane: 1, a: 3, b: 0 }), remember(gone))
    expect(again.map((node) => node.name)).toEqual(nodes.map((node) => node.name))
  })

  test('slots take turns among the locations of their pool', () => {
    const spec = clusterSpec({
      workers: [pool({ name: 'w', count: 3, locations: ['fsn1', 'nbg1'] })],
    })
    const workers = allocateNodes(spec, undefined).filter((node) => node.pool === 'w')
    expect(workers.map((node) => node.location)).toEqual(['fsn1', 'nbg1', 'fsn1'])
  })

  test('nodes stay where they are when their pool gets another location, and move when theirs goes', () => {
    const at = (...locations: string[]) =>
      clusterSpec({ workers: [pool({ name: 'w', count: 3, locations })] })
    const where = (nodes: readonly ClusterNode[]) =>
      nodes.filter((node) => node.pool === 'w').map((node) => node.location)
    const before = allocateNodes(at('fsn1', 'nbg1'), undefined)
    const grown = allocateNodes(at('hel1', 'fsn1', 'nbg1'), remember(before))
    expect(where(grown)).toEqual(['fsn1', 'nbg1', 'fsn1'])
    expect(where(allocateNodes(at('nbg1', 'hel1'), remember(before)))).toEqual([
      'nbg1',
      'nbg1',
      'nbg1',
    ])
  })

  test('a node range that is full says so', () => {
    const spec = clusterSpec({
      network: { ...clusterSpec().network, nodeRange: '10.0.64.0/30' },
    })
    expect(() => allocateNodes(spec, undefined)).toThrow(
      expect.toSatisfy((error) => isClusterError(error, 'spec-invalid')),
    )
  })
})
