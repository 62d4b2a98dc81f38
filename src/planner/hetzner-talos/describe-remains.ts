import { type HetznerKindTable, hetznerKinds, kindOf } from '../../hetzner/kinds/hetzner-kinds.ts'
import { describeMember } from '../../hetzner/network-members.ts'
import type { HetznerLeftovers } from '../../hetzner/observe-destroy.ts'
import type { DestroyRemains, Guest } from '../../hetzner/observe-remains.ts'
import { staysText } from '../../hetzner/stays-text.ts'
import type { Finding } from '../../lib/finding.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'

/** What a destroy must not touch, which stops it, and what it leaves behind, with its cost. */
export function describeRemains(
  spec: Pick<ClusterSpec, 'policy'>,
  found: HetznerLeftovers,
  { strangers, guests, staying }: DestroyRemains,
  kinds: HetznerKindTable = hetznerKinds,
): Finding[] {
  const policy = { volumes: spec.policy.onDestroyVolumes, network: spec.policy.onDestroyNetwork }
  return [
    ...(policy.network === 'keep' ? [] : describeStrangers(strangers)),
    ...guests.map((guest) => describeGuest(guest, kinds)),
    ...describeMarked(found),
    ...Object.values(kinds)
      .toReversed()
      .flatMap(({ destroy }) => destroy.describeKept(found, policy)),
    ...staying.map((one) => ({
      severity: 'warning' as const,
      path: [],
      message: staysText(one),
      hint: 'Delete it yourself if nothing uses it any more.',
    })),
  ]
}

/** Somebody copied our labels: that makes nothing ours. */
function describeMarked({ marked }: HetznerLeftovers): Finding[] {
  return marked.map(({ kind, name, id }) => ({
    severity: 'warning',
    path: [],
    message: `the ${kind} ${name} (id ${id}) carries this cluster's labels, but this cluster did not create it: it stays`,
    hint: 'Delete it yourself if nothing uses it.',
  }))
}

/** Whoever is taken out by hand is made again by the autoscaler, or goes with its node group at any time. */
const scaleToZero = 'Scale the node groups of the autoscaler to zero'

function describeStrangers(strangers: DestroyRemains['strangers']): Finding[] {
  if (strangers.length === 0) return []
  const isAutoscaled = strangers.some(({ nodeGroup }) => nodeGroup !== undefined)
  return [
    {
      severity: 'error',
      path: [],
      message: `the cluster's network would be deleted, and others are in it: ${strangers.map(describeMember).join('; ')}`,
      hint: `${isAutoscaled ? `${scaleToZero}, and detach` : 'Detach'} what is to go on without this network, or set policy.onDestroyNetwork to keep.`,
    },
  ]
}

function describeGuest(
  { kind, usedId, server: { name, id }, nodeGroup }: Guest,
  kinds: HetznerKindTable,
): Finding {
  const owner =
    nodeGroup === undefined
      ? "which is not the cluster's"
      : `of the autoscaler's node group ${nodeGroup}`
  const words = kindOf({ kind }, kinds).destroy.guests
  if (!words) throw new Error(`no server uses a ${kind}`)
  return {
    severity: 'error',
    path: [],
    message: `the server ${name} (id ${id}), ${owner}, ${words.harm(usedId)}, which would be deleted`,
    hint: `${nodeGroup === undefined ? words.remedy : scaleToZero}, and destroy again.`,
  }
}
