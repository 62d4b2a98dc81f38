import { describe, expect, test } from 'vitest'
import { checkHetzner } from '../../src/hetzner/check-hetzner.ts'
import { desireHetzner } from '../../src/hetzner/desire.ts'
import type { HetznerLive } from '../../src/hetzner/observe.ts'
import { formatPath } from '../../src/lib/finding.ts'
import { allocateNodes } from '../../src/plan/allocate-nodes.ts'
import type { ClusterSpec } from '../../src/spec/cluster-spec.ts'
import { clusterSpec, pool } from '../plan/specs.ts'
import { catalogue } from './catalogue-fixture.ts'

const empty: HetznerLive = {
  records: [],
  foreign: [],
  sshKeyNames: [],
  existingNetwork: undefined,
  lostNetwork: undefined,
  knownImages: new Map(),
  catalogue,
  snapshots: [],
  ids: new Map(),
  anchor: undefined,
  strays: [],
  serversOf: new Map(),
  projectServers: 0,
  surroundings: { members: [], routes: [], groups: new Map() },
}

function check(partial: Partial<ClusterSpec>, live: Partial<HetznerLive> = {}): string[] {
  const spec = clusterSpec(partial)
  const context = { uid: '0123456789abcdef', catalogue, schematic: 'ab'.repeat(32) }
  const desired = desireHetzner(spec, allocateNodes(spec, undefined), context)
  return checkHetzner(spec, desired, { ...empty, ...live }).map(
    ({ path, message }) => `${formatPath(path)}: ${message}`,
  )
}

describe('what cannot become true in this project', () => {
  test('is nothing for an ordinary file and an empty project', () => {
    expect(check({})).toEqual([])
  })

  test('is a name that somebody else has taken', () => {
    const foreign = [
      {
        kind: 'network' as const,
        name: 'demo',
        id: 7,
        claimsCluster: false,
        isMarked: false,
        isSelected: false,
      },
      {
        kind: 'network' as const,
        name: 'other',
        id: 8,
        claimsCluster: false,
        isMarked: false,
        isSelected: false,
      },
    ]
    expect(check({}, { foreign })).toEqual([
      "clusterName: the network demo (id 7) exists in this project and is not this cluster's",
    ])
  })

  test('is a key that the project does not have', () => {
    const hetzner = { ...clusterSpec().hetzner, sshKeys: ['mine', 'yours'] }
    expect(check({ hetzner }, { sshKeyNames: ['mine'] })).toEqual([
      'hetzner.sshKeys[1]: this project has no SSH key yours',
    ])
  })

  test('is a lent network that is full of others', () => {
    const spec = clusterSpec()
    const hetzner = { ...spec.hetzner, network: 'office' }
    const subnets = [spec.network.nodeRange, spec.network.loadBalancerRange].map((ipRange) => ({
      ipRange,
      networkZone: 'eu-central',
    }))
    const existingNetwork = { id: 1, name: 'office', ipRange: '10.0.0.0/16', subnets }
    const members = Array.from({ length: 99 }, (_, index) => ({
      kind: 'server' as const,
      name: `desk-${index}`,
      id: 1_000 + index,
      addresses: [`10.0.95.${index + 1}`],
      nodeGroup: undefined,
    }))
    const surroundings = { members, routes: [], groups: new Map() }
    expect(check({ hetzner }, { existingNetwork, surroundings })).toEqual([
      "nodes: 5 nodes do not fit into the network beside 99 servers that are not this cluster's: Hetzner attaches 100 at most",
    ])
  })

  test('is a network that is missing or has no room for our ranges', () => {
    const hetzner = { ...clusterSpec().hetzner, network: 'office' }
    expect(check({ hetzner })[0]).toContain('no network office')
    const network = (ranges: string[]) => ({
      existingNetwork: {
        id: 1,
        name: 'office',
        ipRange: '10.0.0.0/16',
        subnets: ranges.map((ipRange) => ({ ipRange, networkZone: 'eu-central' })),
      },
    })
    expect(check({ hetzner }, network(['10.0.64.0/18']))).toEqual([
      'hetzner.network: the network office has no subnet in eu-central that holds 10.0.32.0/24',
    ])
    expect(check({ hetzner }, network(['10.0.64.0/18', '10.0.32.0/24']))).toEqual([])
  })

  test('is more servers than the account may have, the builder of the image counted', () => {
    const hetzner = { ...clusterSpec().hetzner, serverLimit: 10 }
    expect(check({ hetzner }, { projectServers: 4 })).toEqual([])
    expect(check({ hetzner }, { projectServers: 5 })[0]).toContain('11 servers')
  })

  test('is more servers than fit into a network', () => {
    expect(check({ workers: [pool({ name: 'workers', count: 98 })] })[0]).toContain('101 nodes')
  })

  test('is a load balancer type that does not exist', () => {
    const loadBalancer = { type: 'lb99', location: 'hel1', privateOnly: true }
    expect(check({ loadBalancer })[0]).toContain('lb99')
  })

  test('is a firewall with more rules than Hetzner takes', () => {
    const extraRules = Array.from({ length: 51 }, (_, index) => ({
      direction: 'in' as const,
      protocol: 'tcp' as const,
      port: String(1_000 + index),
      sources: ['0.0.0.0/0'],
      destinations: [],
    }))
    const firewall = { ...clusterSpec().firewall, extraRules }
    expect(check({ firewall })[0]).toContain('51 rules')
  })
})
