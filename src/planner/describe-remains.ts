import { describeMember } from '../hetzner/network-members.ts'
import type { HetznerLeftovers } from '../hetzner/observe-destroy.ts'
import type { DestroyRemains, Guest, StayingResource } from '../hetzner/observe-remains.ts'
import { keptVolumes } from '../hetzner/plan-destroy.ts'
import type { Finding } from '../lib/finding.ts'
import { formatEuro } from '../plan/describe-change.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'

/** What a destroy must not touch, which stops it, and what it leaves behind, with its cost. */
export function describeRemains(
  { policy }: Pick<ClusterSpec, 'policy'>,
  found: HetznerLeftovers,
  { strangers, guests, staying }: DestroyRemains,
): Finding[] {
  const { onDestroyVolumes: volumes, onDestroyNetwork: network } = policy
  const kept = keptVolumes(found, { volumes })
  return [
    ...(network === 'keep' ? [] : describeStrangers(strangers)),
    ...guests.map(describeGuest),
    ...describeMarked(found),
    ...kept.map(({ name, spec, monthlyCost }) =>
      warning(
        'onDestroyVolumes',
        staysText({ what: `the volume ${name} (${String(spec['sizeGb'])} GB)`, monthlyCost }),
        'Set policy.onDestroyVolumes to delete, or delete it yourself.',
      ),
    ),
    ...found.guestVolumes.map(({ name, server }) =>
      warning(
        'onDestroyVolumes',
        `the volume ${name} on ${server} is not the cluster's and is only detached`,
        'Nothing to do.',
      ),
    ),
    ...(network === 'delete'
      ? []
      : found.records
          .filter(({ kind }) => kind === 'network')
          .map(({ name }) =>
            warning(
              'onDestroyNetwork',
              `the network ${name} stays`,
              'Delete it yourself, or rename it before you create another cluster of this name.',
            ),
          )),
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

/** Hetzner deletes no group that is in use, and takes a firewall off whoever has it. */
function describeGuest({ kind, usedId, server: { name, id }, nodeGroup }: Guest): Finding {
  const owner =
    nodeGroup === undefined
      ? "which is not the cluster's"
      : `of the autoscaler's node group ${nodeGroup}`
  const isFirewall = kind === 'firewall'
  const harm = isFirewall
    ? `would be open without the cluster's firewall (id ${usedId})`
    : `is in a placement group of the cluster (id ${usedId})`
  const byHand = isFirewall
    ? 'Give it a firewall of its own in the Hetzner console, take this one off it'
    : 'Take it out of the placement group in the Hetzner console'
  return {
    severity: 'error',
    path: [],
    message: `the server ${name} (id ${id}), ${owner}, ${harm}, which would be deleted`,
    hint: `${nodeGroup === undefined ? byHand : scaleToZero}, and destroy again.`,
  }
}

function warning(field: string, message: string, hint: string): Finding {
  return { severity: 'warning', path: ['policy', field], message, hint }
}

function staysText({ what, monthlyCost }: StayingResource): string {
  if (monthlyCost === undefined) return `${what} stays and goes on costing`
  if (monthlyCost === 0) return `${what} stays`
  return `${what} stays and goes on costing ${formatEuro(monthlyCost)} a month`
}
