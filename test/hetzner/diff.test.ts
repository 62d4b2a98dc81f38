import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { desireHetzner } from '../../src/hetzner/desire.ts'
import { diffHetzner } from '../../src/hetzner/diff.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { allocateNodes } from '../../src/plan/allocate-nodes.ts'
import type { Change } from '../../src/plan/change.ts'
import { orderChanges } from '../../src/plan/order-changes.ts'
import { makePlan } from '../../src/plan/plan.ts'
import { type ClusterRecord, recordKey } from '../../src/plan/record.ts'
import type { ClusterSpec } from '../../src/spec/cluster-spec.ts'
import { clusterSpec, pool } from '../plan/specs.ts'
import { catalogue } from './catalogue-fixture.ts'

const context = { uid: '0123456789abcdef', catalogue, schematic: 'ab'.repeat(32) }

function desire(spec: ClusterSpec): ClusterRecord[] {
  return desireHetzner(spec, allocateNodes(spec, undefined), context)
}

/** What Hetzner would show after all of it was made. */
function made(records: readonly ClusterRecord[]): ClusterRecord[] {
  return records.map((record, index) => ({
    ...record,
    facts: { id: index + 1 },
    spec: record.kind === 'server' ? { ...record.spec, image: 4711 } : record.spec,
  }))
}

function altered(
  records: readonly ClusterRecord[],
  key: string,
  change: JsonObject,
): ClusterRecord[] {
  return records.map((record) =>
    recordKey(record) === key ? { ...record, spec: { ...record.spec, ...change } } : record,
  )
}

function brief(changes: readonly Change[]): string[] {
  return changes.map(({ action, key, risk }) => `${action} ${key} ${risk}`)
}

const desired = desire(clusterSpec())
const live = made(desired)

const specs = fc
  .record({
    controlPlanes: fc.constantFrom(1, 3, 5),
    pools: fc.uniqueArray(
      fc.record({
        name: fc.constantFrom('workers', 'big', 'arm'),
        count: fc.integer({ min: 0, max: 12 }),
        publicIpv4: fc.boolean(),
        locations: fc.constantFrom(['hel1'], ['hel1', 'fsn1']),
      }),
      { selector: ({ name }) => name },
    ),
    privateOnly: fc.boolean(),
    kubernetesApi: fc.subarray(['203.0.113.0/24', '198.51.100.0/24']),
  })
  .map(({ controlPlanes, pools, privateOnly, kubernetesApi }) =>
    clusterSpec({
      controlPlane: pool({ name: 'control-plane', count: controlPlanes }),
      workers: pools.map(({ name, ...rest }) =>
        name === 'arm'
          ? pool({ name, arch: 'arm64', type: 'cax11', ...rest })
          : pool({ name, ...rest }),
      ),
      loadBalancer: { type: 'lb11', location: 'hel1', privateOnly },
      firewall: { ...clusterSpec().firewall, kubernetesApi },
    }),
  )

describe('the difference between what is wanted and what is there', () => {
  test('is everything on the first day', () => {
    expect(new Set(diffHetzner(desired, []).map(({ action }) => action))).toEqual(
      new Set(['create']),
    )
    expect(diffHetzner(desired, [])).toHaveLength(desired.length)
  })

  const cases: [string, string, JsonObject, string[]][] = [
    [
      'a label that was changed by hand',
      'server/demo-workers-1',
      { labels: { cluster: 'demo' } },
      ['update server/demo-workers-1 live'],
    ],
    [
      'another server type of a worker',
      'server/demo-workers-1',
      { serverType: 'cx33' },
      ['replace server/demo-workers-1 replace'],
    ],
    [
      'another location of a control plane',
      'server/demo-control-plane-2',
      { location: 'fsn1' },
      ['replace server/demo-control-plane-2 quorum'],
    ],
    [
      'a firewall that was taken off a server',
      'server/demo-workers-2',
      { firewall: null },
      ['update server/demo-workers-2 live'],
    ],
    [
      'a server outside of its placement group',
      'server/demo-workers-2',
      { placementGroup: null },
      ['update server/demo-workers-2 reboot'],
    ],
    [
      'a server that was never attached',
      'server/demo-workers-1',
      { network: null, privateIp: null, power: 'off' },
      ['create server/demo-workers-1 additive'],
    ],
    ['a rule that somebody added', 'firewall/demo', { rules: [1] }, ['update firewall/demo live']],
    [
      'a subnet that is missing',
      'network/demo',
      { subnets: { '10.0.64.0/19': 'eu-central' } },
      ['update network/demo additive'],
    ],
    [
      'a network that is too small',
      'network/demo',
      { ipRange: '10.0.0.0/17' },
      ['update network/demo live'],
    ],
    [
      'a network of other addresses',
      'network/demo',
      { ipRange: '10.1.0.0/16' },
      ['replace network/demo data-loss'],
    ],
    [
      'a load balancer of another type',
      'load-balancer/demo',
      { type: 'lb21' },
      ['update load-balancer/demo live'],
    ],
    [
      'a load balancer without services',
      'load-balancer/demo',
      { services: {} },
      ['create load-balancer/demo additive'],
    ],
    [
      'a load balancer elsewhere',
      'load-balancer/demo',
      { location: 'fsn1' },
      ['replace load-balancer/demo replace'],
    ],
  ]
  test.each(cases)('%s is seen and judged', (_name, key, change, expected) => {
    const found = diffHetzner(desired, altered(live, key, change))
    expect(brief(found.filter(({ after }) => after?.kind !== 'image'))).toEqual(expected)
  })

  test('does not mind subnets that others added to the network', () => {
    const network = live.find(({ kind }) => kind === 'network')
    const subnets = { '10.0.64.0/19': 'eu-central', '10.0.32.0/24': 'eu-central' }
    expect(network?.spec['subnets']).toEqual(subnets)
    const more = { subnets: { ...subnets, '10.0.250.0/24': 'eu-central' } }
    expect(diffHetzner(desired, altered(live, 'network/demo', more))).toEqual([])
  })

  test('tells a server that was switched off from one that was never finished', () => {
    const off = altered(live, 'server/demo-workers-1', { power: 'off' })
    expect(brief(diffHetzner(desired, off))[0]).toContain('create server/demo-workers-1')
    expect(brief(diffHetzner(desired, off, { finished: new Set(['demo-workers-1']) }))).toEqual([
      'update server/demo-workers-1 live',
    ])
  })

  test('of a half-made resource is the create that was approved, in its every letter', () => {
    const half = altered(live, 'server/demo-workers-1', { privateIp: null, power: 'off' })
    const plan = (there: readonly ClusterRecord[]) =>
      makePlan({
        clusterName: 'demo',
        verb: 'apply',
        desired,
        live: there,
        changes: diffHetzner(desired, there).filter(({ key }) => key === 'server/demo-workers-1'),
      })
    const [again, first] = [plan(half), plan([])]
    expect(again.digest).toBe(first.digest)
    expect(again.changes[0]?.reason).toContain('cut short')
  })

  test('wants an image only for servers that are made', () => {
    const withoutImage = live.filter(({ kind }) => kind !== 'image')
    expect(diffHetzner(desired, withoutImage)).toEqual([])
    const withoutServer = withoutImage.filter(
      (record) => recordKey(record) !== 'server/demo-workers-1',
    )
    expect(brief(diffHetzner(desired, withoutServer))).toEqual([
      'create image/talos-v1.12.1-amd64-abababab additive',
      'create server/demo-workers-1 additive',
    ])
  })

  test('replaces by name what differs in nothing, and says which server it is that goes', () => {
    const replace = new Map([
      ['demo-control-plane-2', 'it was asked for'],
      ['demo-workers-1', 'it was asked for'],
    ])
    const changes = diffHetzner(desired, live, { replace }).filter(
      ({ key }) => !key.startsWith('image'),
    )
    expect(brief(changes)).toEqual([
      'replace server/demo-control-plane-2 quorum',
      'replace server/demo-workers-1 replace',
    ])
    expect(changes[0]?.reason).toBe('it was asked for')
    expect(changes[0]?.fields).toMatchObject([{ path: 'id', after: 'new' }])
  })

  test('stops workers of a pool one after the other', () => {
    const smaller = live.map((record) =>
      record.kind === 'server'
        ? { ...record, spec: { ...record.spec, serverType: 'cx33' } }
        : record,
    )
    const needs = new Map(diffHetzner(desired, smaller).map(({ key, needs }) => [key, needs]))
    expect(needs.get('server/demo-workers-2')).toContain('server/demo-workers-1')
    expect(needs.get('server/demo-workers-1')?.filter((key) => key.startsWith('server/'))).toEqual(
      [],
    )
  })
})

describe('laws of the difference', () => {
  test('equal states differ in nothing', () => {
    fc.assert(
      fc.property(specs, (spec) => {
        const wanted = desire(spec)
        expect(diffHetzner(wanted, made(wanted))).toEqual([])
      }),
    )
  })

  test('the order of neither side matters', () => {
    fc.assert(
      fc.property(specs, specs, fc.infiniteStream(fc.nat()), (before, after, random) => {
        const shuffled = <T>(list: readonly T[]): T[] =>
          list
            .map((value) => ({ value, at: random.next().value }))
            .sort((a, b) => a.at - b.at)
            .map(({ value }) => value)
        const [from, to] = [made(desire(before)), desire(after)]
        const plan = (changes: Change[]) => orderChanges(changes)
        expect(plan(diffHetzner(shuffled(to), shuffled(from)))).toEqual(plan(diffHetzner(to, from)))
      }),
      { numRuns: 50 },
    )
  })

  test('every change can be ordered after what it needs', () => {
    fc.assert(
      fc.property(specs, specs, (before, after) => {
        const changes = orderChanges(diffHetzner(desire(after), made(desire(before))))
        const done = new Set<string>()
        const all = new Set<string>(changes.map(({ key }) => key))
        for (const { key, needs } of changes) {
          for (const need of needs) expect(done.has(need) || !all.has(need)).toBe(true)
          done.add(key)
        }
      }),
      { numRuns: 50 },
    )
  })

  test('only what is there is changed or deleted, and only what is missing is created', () => {
    fc.assert(
      fc.property(specs, specs, (before, after) => {
        const there = made(desire(before))
        const keys = new Set(there.map(recordKey))
        for (const change of diffHetzner(desire(after), there)) {
          expect(change.action === 'create').toBe(!keys.has(change.key))
        }
      }),
      { numRuns: 50 },
    )
  })
})
