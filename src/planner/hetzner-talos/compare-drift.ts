import { type KeptDrift, type SettledDrift, settleDrift } from '../../hetzner/drift.ts'
import type { Finding } from '../../lib/finding.ts'
import type { JsonObject } from '../../lib/json.ts'
import { formatValue } from '../../plan/describe-change.ts'
import { type ClusterRecord, kindTraits, type RecordKey, recordKey } from '../../plan/record.ts'
import { isApplied } from '../applied-spec.ts'
import type { ClusterView } from './cluster-view.ts'

/** What of Hetzner's resources was changed by hand since the last apply, and what becomes of it. */
export function compareDrift(
  view: ClusterView,
  desired: readonly ClusterRecord[],
  live: readonly ClusterRecord[],
  replaced: ReadonlySet<string>,
): SettledDrift {
  const { spec, hetzner } = view
  return settleDrift(desired, live, {
    applied: lastApplied(view, desired),
    policy: spec.policy.onDrift,
    replaced,
    taken: new Set(hetzner.foreign.map(recordKey)),
  })
}

/** What is told and left as it is. */
export function reportKept(kept: readonly KeptDrift[], { spec }: ClusterView): Finding[] {
  return kept.map(({ kind, name, field, live, desired }) => ({
    severity: 'warning',
    path: ['policy', 'onDrift'],
    message: `the ${kindTraits[kind].words} ${name} was changed by hand, and is kept so: ${field} is ${formatValue(live)}, the file asks for ${formatValue(desired)}`,
    hint: hintOf({ kind, field, desired }, spec.policy.onDrift),
  }))
}

function hintOf(
  { kind, field, desired }: Pick<KeptDrift, 'kind' | 'field' | 'desired'>,
  policy: 'restore' | 'keep',
): string {
  if (kind === 'load-balancer' && field === 'privateIp') {
    return `Detach the load balancer from the network in the Hetzner console, which takes its targets away for a moment, and run \`hcloud-talos apply\`, which attaches it at ${formatValue(desired)}, where nodes look for the API.`
  }
  if (kind === 'server' && ['serverType', 'location', 'publicIpv4', 'publicIpv6'].includes(field)) {
    return 'Take it over into the file, or have the server replaced by name with --replace.'
  }
  if (field === 'ipRange') return 'Take it over into the file: a network never shrinks.'
  return policy === 'keep'
    ? 'Set policy.onDrift to restore to have it put back.'
    : 'Put it back by hand.'
}

/**
 * What the last apply asked for. A state that does not record it yet has at least the digest of the file: where
 * that is the same, the file asks for nothing new. (Of the load balancer newer versions ask for more.) Where it
 * is not, nobody knows who made a server differ: it is not replaced for that.
 */
function lastApplied(
  { spec, generation }: ClusterView,
  desired: readonly ClusterRecord[],
): Map<RecordKey, JsonObject> {
  const recorded = generation?.inventory.resources ?? {}
  const unchanged = isApplied(spec, generation)
  return new Map(
    desired.flatMap((record): [RecordKey, JsonObject][] => {
      const key = recordKey(record)
      const known = recorded[key]?.spec
      if (known) return [[key, known]]
      if (record.kind === 'load-balancer') return []
      if (unchanged) return [[key, record.spec]]
      const isUnrecorded = generation?.inventory.resources === undefined
      return isUnrecorded && record.kind === 'server' ? [[key, hardwareOf(record.spec)]] : []
    }),
  )
}

function hardwareOf({ serverType, location, publicIpv4, publicIpv6 }: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries({ serverType, location, publicIpv4, publicIpv6 }).flatMap(([field, value]) =>
      value === undefined ? [] : [[field, value] as const],
    ),
  )
}
