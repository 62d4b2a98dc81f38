import { describe, expect, test } from 'vitest'
import { desireHetzner } from '../../src/hetzner/desire.ts'
import { firewallSpecSchema } from '../../src/hetzner/kinds/firewall/firewall-record.ts'
import { loadBalancerSpecSchema } from '../../src/hetzner/kinds/load-balancer/load-balancer-record.ts'
import { serverSpecSchema } from '../../src/hetzner/kinds/server/server-record.ts'
import { allocateNodes } from '../../src/plan/allocate-nodes.ts'
import { type ClusterRecord, recordKey } from '../../src/plan/record.ts'
import type { ClusterSpec } from '../../src/spec/cluster-spec.ts'
import { clusterSpec, pool } from '../plan/specs.ts'
import { catalogue } from './catalogue-fixture.ts'

const uid = '0123456789abcdef'
const schematic = 'ab'.repeat(32)

function desire(partial: Partial<ClusterSpec> = {}): Map<string, ClusterRecord> {
  const spec = clusterSpec(partial)
  const records = desireHetzner(spec, allocateNodes(spec, undefined), { uid, catalogue, schematic })
  return new Map(records.map((record) => [recordKey(record), record]))
}

function rulesOf(firewall: ClusterSpec['firewall']) {
  return firewallSpecSchema.parse(desire({ firewall }).get('firewall/demo')?.spec).rules
}

const closed = clusterSpec().firewall

describe('what a spec asks of Hetzner', () => {
  test('is one network, firewall, key, load balancer, a group per ten slots, and the servers', () => {
    const workers = [pool({ name: 'workers', count: 11 })]
    expect([...desire({ workers }).keys()].filter((key) => !key.startsWith('server/'))).toEqual([
      `image/talos-v1.12.1-amd64-abababab`,
      'network/demo',
      'firewall/demo',
      'placement-group/demo-control-plane-1',
      'placement-group/demo-workers-1',
      'placement-group/demo-workers-2',
      'ssh-key/demo',
      'load-balancer/demo',
    ])
  })

  test('the eleventh server of a pool goes into a second placement group, and no other moves', () => {
    const groups = (count: number) => {
      const records = desire({ workers: [pool({ name: 'workers', count })] })
      return Array.from(
        { length: count },
        (_, index) =>
          serverSpecSchema.parse(records.get(`server/demo-workers-${index + 1}`)?.spec)
            .placementGroup,
      )
    }
    expect(groups(10)).toEqual(Array.from({ length: 10 }, () => 'demo-workers-1'))
    expect(groups(11)).toEqual([...groups(10), 'demo-workers-2'])
  })

  test('carries the mark of the cluster on everything', () => {
    for (const [key, { kind, spec }] of desire()) {
      if (kind === 'image') continue
      expect(spec['labels'], key).toMatchObject({ cluster: 'demo', uid, component: kind })
    }
  })

  test('needs only what is desired too', () => {
    const records = desire()
    for (const { needs } of records.values()) {
      for (const key of needs) expect(records.has(key), key).toBe(true)
    }
  })

  test('puts an image of each architecture under the nodes that need it', () => {
    const workers = [pool({ name: 'arm', count: 1, arch: 'arm64', type: 'cax11' })]
    const records = desire({ workers })
    expect(records.get('server/demo-arm-1')?.needs).toContain('image/talos-v1.12.1-arm64-abababab')
    expect(records.get('server/demo-control-plane-1')?.needs).toContain(
      'image/talos-v1.12.1-amd64-abababab',
    )
  })

  test('uses the named keys, and makes none then', () => {
    const hetzner = { ...clusterSpec().hetzner, sshKeys: ['my-key'] }
    expect(desire({ hetzner }).has('ssh-key/demo')).toBe(false)
  })

  test('uses a network that exists, and makes none then', () => {
    const hetzner = { ...clusterSpec().hetzner, network: 'office' }
    const records = desire({ hetzner })
    expect(records.has('network/demo')).toBe(false)
    expect(records.get('load-balancer/demo')?.needs).toEqual([])
    const server = records.get('server/demo-workers-1')
    expect(serverSpecSchema.parse(server?.spec).network).toBe('office')
    expect(server?.needs.filter((key) => key.startsWith('network/'))).toEqual([])
  })

  test('has no load balancer where the endpoint is something else', () => {
    const records = desire({ endpoint: { type: 'dns', name: 'k8s.example.org' } })
    expect([...records.keys()].filter((key) => key.startsWith('load-balancer/'))).toEqual([])
  })

  test('costs what Hetzner asks, the IPv4 address included', () => {
    const workers = [pool({ name: 'workers', count: 1, publicIpv4: false })]
    const records = desire({ workers })
    expect(records.get('server/demo-control-plane-1')?.monthlyCost).toBe(5.99)
    expect(records.get('server/demo-workers-1')?.monthlyCost).toBe(5.49)
    expect(records.get('load-balancer/demo')?.monthlyCost).toBe(7.49)
  })

  test('gives the load balancer its fixed address, and a public side only if it is to have one', () => {
    const [open, shut] = [false, true].map((privateOnly) =>
      loadBalancerSpecSchema.parse(
        desire({ loadBalancer: { type: 'lb11', location: 'hel1', privateOnly } }).get(
          'load-balancer/demo',
        )?.spec,
      ),
    )
    expect(open).toMatchObject({ publicInterface: true, privateIp: '10.0.32.254' })
    expect(shut).toMatchObject({ publicInterface: false, privateIp: '10.0.32.254' })
    expect(open?.targets).toEqual([
      { selector: 'uid=0123456789abcdef,component=server,role=control-plane', usePrivateIp: true },
    ])
  })
})

describe('the firewall', () => {
  test('lets nobody in unless the spec says so', () => {
    expect(rulesOf(closed)).toEqual([])
  })

  test('opens each API to the ranges that are named', () => {
    const rules = rulesOf({
      ...closed,
      kubernetesApi: ['203.0.113.0/24', '2001:DB8:0::/48'],
      talosApi: ['198.51.100.7/32'],
    })
    expect(rules.map(({ port, sources }) => [port, sources])).toEqual([
      ['6443', ['2001:db8::/48', '203.0.113.0/24']],
      ['50000', ['198.51.100.7/32']],
    ])
  })

  test('keeps several rules for one port, and drops only what is there twice', () => {
    const rule = {
      direction: 'in' as const,
      protocol: 'tcp' as const,
      port: '443',
      sources: ['0.0.0.0/0'],
      destinations: [],
    }
    const extraRules = [rule, { ...rule, sources: ['10.0.0.0/8'] }, { ...rule }]
    expect(rulesOf({ ...closed, extraRules })).toHaveLength(2)
  })

  test('splits more ranges than Hetzner takes in one rule', () => {
    const kubernetesApi = Array.from({ length: 130 }, (_, index) => `192.0.2.${index}/32`)
    const rules = rulesOf({ ...closed, kubernetesApi })
    expect(rules.map(({ sources }) => sources.length).sort()).toEqual([100, 30])
  })

  test('is not asked for on a server that has no public side', () => {
    const workers = [pool({ name: 'workers', count: 1, publicIpv4: false, publicIpv6: false })]
    const server = desire({ workers }).get('server/demo-workers-1')
    expect(serverSpecSchema.parse(server?.spec).firewall).toBeNull()
  })
})
