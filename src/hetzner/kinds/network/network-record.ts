import { z } from 'zod'
import { parseCidr } from '../../../lib/cidr.ts'
import type { FieldChange } from '../../../plan/change.ts'
import type { DiffRules } from '../../../plan/diff-records.ts'
import type { ClusterRecord } from '../../../plan/record.ts'
import type { ClusterSpec } from '../../../spec/cluster-spec.ts'
import type { ApiNetwork } from '../../api/networks.ts'
import type { OwnResource } from '../../own-resources.ts'
import { type ClusterIdentity, ownLabels, resourceLabels } from '../../ownership.ts'
import { ownFacts, protectionFact } from '../record-parts.ts'

export const networkSpecSchema = z.object({
  name: z.string(),
  ipRange: z.string(),
  /** Network zone by range. */
  subnets: z.record(z.string(), z.string()),
  labels: z.record(z.string(), z.string()),
})
export type NetworkSpec = z.infer<typeof networkSpecSchema>

/** Our own network, with a subnet for the nodes and one for the load balancer; none if one is lent to us. */
export function desireNetwork(spec: ClusterSpec, identity: ClusterIdentity): ClusterRecord[] {
  if (spec.hetzner.network !== undefined) return []
  const { cidr, nodeRange, loadBalancerRange } = spec.network
  const zone = spec.hetzner.networkZone
  const network: NetworkSpec = {
    name: spec.clusterName,
    ipRange: cidr,
    subnets: { [nodeRange]: zone, [loadBalancerRange]: zone },
    labels: resourceLabels(identity, 'network'),
  }
  return [{ kind: 'network', name: spec.clusterName, spec: network, needs: [] }]
}

export function liveNetwork(own: OwnResource<ApiNetwork>): ClusterRecord {
  const network = own.item
  const subnets = network.subnets.flatMap(({ ip_range, network_zone }) =>
    ip_range ? [[ip_range, network_zone] as const] : [],
  )
  const spec: NetworkSpec = {
    name: network.name,
    ipRange: network.ip_range,
    subnets: Object.fromEntries(subnets),
    labels: ownLabels(network.labels),
  }
  const facts = { ...ownFacts(own), ...protectionFact(network) }
  return { kind: 'network', name: own.name, spec, needs: [], facts }
}

/** Subnets that somebody added to our network (for a vSwitch, say) are no difference: they stay. */
export function withoutExtraSubnets(live: ClusterRecord, desired: ClusterRecord): ClusterRecord {
  const wanted = networkSpecSchema.parse(desired.spec).subnets
  const spec = networkSpecSchema.parse(live.spec)
  const subnets = Object.entries(spec.subnets).filter(([range]) => range in wanted)
  return { ...live, spec: { ...spec, subnets: Object.fromEntries(subnets) } }
}

export const networkRules: DiffRules = {
  create: () => ({ risk: 'additive', reason: 'the cluster has no network yet' }),
  delete: () => ({ risk: 'data-loss', reason: 'the cluster no longer uses a network of its own' }),
  update: (_before, _after, fields) => {
    if (!fields.every(isInPlace)) {
      return {
        action: 'replace',
        risk: 'data-loss',
        reason: 'its address range or zone cannot be changed while nodes are in it',
      }
    }
    const adds = fields.every(({ path }) => path.startsWith('subnets.'))
    return {
      action: 'update',
      risk: adds ? 'additive' : 'live',
      reason: adds ? 'a subnet is missing' : 'changed in place',
    }
  },
}

function isInPlace({ path, before, after }: FieldChange): boolean {
  if (path === 'name' || path.startsWith('labels.')) return true
  if (path.startsWith('subnets.')) return before === undefined
  return path === 'ipRange' && isGrown(String(before), String(after))
}

/** Hetzner lets a network grow, from the same first address. */
function isGrown(before: string, after: string): boolean {
  const [from, to] = [parseCidr(before), parseCidr(after)]
  return (
    from !== undefined && to !== undefined && from.first === to.first && to.prefix < from.prefix
  )
}
