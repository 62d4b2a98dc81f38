import { cidrContains, parseCidr } from '../lib/cidr.ts'
import type { Finding } from '../lib/finding.ts'
import { isJsonObject, type Json } from '../lib/json.ts'
import { type ClusterRecord, recordKey } from '../plan/record.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'
import { checkRanges } from './check-ranges.ts'
import { checkSurroundings } from './check-surroundings.ts'
import { firewallSpecSchema } from './kinds/firewall/firewall-record.ts'
import { kindOf } from './kinds/hetzner-kinds.ts'
import { liveImages } from './kinds/image/live-images.ts'
import type { HetznerLive } from './observe.ts'

/** Hetzner's limits of what one thing may hold. */
const rulesPerFirewall = 50
const serversPerNetwork = 100

/**
 * What in the spec cannot become true in this project, found before anything is made: names that
 * others have taken, keys and networks that are missing, limits that are too small. Pure.
 */
export function checkHetzner(
  spec: ClusterSpec,
  desired: readonly ClusterRecord[],
  live: HetznerLive,
): Finding[] {
  return [
    ...checkNames(desired, live),
    ...checkMarked(spec, live),
    ...checkSshKeys(spec, live),
    ...checkExistingNetwork(spec, live),
    ...checkFirewall(desired),
    ...checkServerNumbers(spec, desired, live),
    ...checkRanges(spec, desired, live.records),
    ...checkSurroundings(spec, desired, live),
    ...checkLoadBalancerType(spec, live),
  ]
}

/** Of what we have already nobody can take the name but by renaming ours: that is drift. */
function checkNames(desired: readonly ClusterRecord[], live: HetznerLive): Finding[] {
  const own = new Set(live.records.map(recordKey))
  const wanted = new Map(
    desired
      // What stands in the record of one whose name is random is no name.
      .filter((record) => !kindOf(record).compare.drift.isNameRandom && !own.has(recordKey(record)))
      .map(({ kind, spec }) => [`${kind}/${String(spec['name'])}`, spec['labels']] as const),
  )
  const exists = live.records.length > 0
  return live.foreign
    .filter((foreign) => wanted.has(recordKey(foreign)))
    .map((foreign) => ({
      severity: 'error',
      path: ['clusterName'],
      message: `the ${foreign.kind} ${foreign.name} (id ${foreign.id}) exists in this project and is not this cluster's`,
      hint: exists ? whoseIs(foreign, wanted.get(recordKey(foreign))) : takeAnother,
    }))
}

const takeAnother = 'Choose another clusterName, use a project of its own, or remove it yourself.'

function whoseIs({ claimsCluster }: HetznerLive['foreign'][number], labels: Json | undefined) {
  return claimsCluster
    ? 'Rename it in the Hetzner console, or delete it yourself, and plan again.'
    : lostLabels(labels)
}

/** What has the name of a part of a cluster that is there may be that part, with its labels gone: servers may use it. */
function lostLabels(labels: Json | undefined): string {
  const pairs = isJsonObject(labels)
    ? Object.entries(labels).map(([key, value]) => `${key}=${String(value)}`)
    : []
  return `If it is a part of this cluster that lost its labels, put them back in the Hetzner console (${pairs.join(', ')}), and plan again; do not remove it. If it is somebody else's, choose another clusterName or use a project of its own.`
}

/**
 * Somebody copied our labels: what the cluster did not create is neither used, changed nor deleted. Where they are
 * those of a control plane, the load balancer uses it all the same: nothing goes on until that has ended.
 */
function checkMarked({ endpoint }: ClusterSpec, { foreign }: HetznerLive): Finding[] {
  return foreign
    .filter(({ isMarked }) => isMarked)
    .map(({ kind, name, id, isSelected }) =>
      isSelected && endpoint.type === 'loadBalancer'
        ? {
            severity: 'error',
            path: ['clusterName'],
            message: `the ${kind} ${name} (id ${id}) carries the labels of this cluster's control planes, but this cluster did not create it: the load balancer may send requests for the Kubernetes API to it`,
            hint: 'Take the label uid off it in the Hetzner console, or delete it yourself, and plan again.',
          }
        : {
            severity: 'warning',
            path: ['clusterName'],
            message: `the ${kind} ${name} (id ${id}) carries this cluster's labels, but this cluster did not create it: it is left alone`,
            hint: 'Take the labels off it, or delete it yourself.',
          },
    )
}

function checkSshKeys(spec: ClusterSpec, { sshKeyNames }: HetznerLive): Finding[] {
  return spec.hetzner.sshKeys.flatMap((name, index) =>
    sshKeyNames.includes(name)
      ? []
      : [
          {
            severity: 'error',
            path: ['hetzner', 'sshKeys', index],
            message: `this project has no SSH key ${name}`,
            hint:
              sshKeyNames.length === 0
                ? 'Leave sshKeys out: nodes need none.'
                : `Choose one of ${sshKeyNames.join(', ')}, or leave sshKeys out: nodes need none.`,
          },
        ],
  )
}

/**
 * A network that is lent to us is used as it is. We do not add subnets to it: nothing could tell
 * later that they were ours to remove.
 */
function checkExistingNetwork(
  spec: ClusterSpec,
  { existingNetwork, lostNetwork }: HetznerLive,
): Finding[] {
  const { network: name, networkZone } = spec.hetzner
  if (name === undefined) return []
  const error = (message: string, hint: string): Finding => ({
    severity: 'error',
    path: ['hetzner', 'network'],
    message,
    hint,
  })
  if (lostNetwork) {
    const { id } = lostNetwork
    return [
      error(
        `the network ${name} (id ${id}) that this cluster was put into is gone: one that has its name now is another`,
        'Create a network with the same subnets under another name, or rename the one that is to take its place, and set hetzner.network to that name.',
      ),
    ]
  }
  if (!existingNetwork) {
    return [error(`this project has no network ${name}`, 'Create it, or leave network out.')]
  }
  const { id, calledNow } = existingNetwork
  const renamed: Finding[] =
    calledNow === undefined
      ? []
      : [
          {
            severity: 'warning',
            path: ['hetzner', 'network'],
            message: `the network ${name} (id ${id}) is called ${calledNow} now: it is known by its id`,
            hint: `Set hetzner.network to ${calledNow}.`,
          },
        ]
  const subnets = existingNetwork.subnets.filter((subnet) => subnet.networkZone === networkZone)
  const { nodeRange, loadBalancerRange } = spec.network
  const missing = [nodeRange, loadBalancerRange]
    .filter((range) => !subnets.some((subnet) => contains(subnet.ipRange, range)))
    .map((range) =>
      error(
        `the network ${name} has no subnet in ${networkZone} that holds ${range}`,
        `Add the subnet ${range} to it, or set network.nodeRange and network.loadBalancerRange to parts of its subnets.`,
      ),
    )
  return [...renamed, ...missing]
}

function contains(outer: string, inner: string): boolean {
  const [a, b] = [parseCidr(outer), parseCidr(inner)]
  return a !== undefined && b !== undefined && cidrContains(a, b)
}

function checkFirewall(desired: readonly ClusterRecord[]): Finding[] {
  return desired
    .filter(({ kind }) => kind === 'firewall')
    .flatMap(({ spec }) => {
      const { rules } = firewallSpecSchema.parse(spec)
      if (rules.length <= rulesPerFirewall) return []
      return [
        {
          severity: 'error',
          path: ['firewall', 'extraRules'],
          message: `the firewall would have ${rules.length} rules; Hetzner allows ${rulesPerFirewall}`,
          hint: 'Join rules that differ in their ranges only.',
        },
      ]
    })
}

function checkServerNumbers(
  spec: ClusterSpec,
  desired: readonly ClusterRecord[],
  live: HetznerLive,
): Finding[] {
  const wanted = desired.filter(({ kind }) => kind === 'server').length
  const ours = live.records.filter(({ kind }) => kind === 'server').length
  const findings: Finding[] = []
  if (wanted > serversPerNetwork) {
    findings.push({
      severity: 'error',
      path: ['nodes'],
      message: `${wanted} nodes do not fit into one network: Hetzner attaches ${serversPerNetwork} servers at most`,
      hint: 'Use fewer and larger nodes.',
    })
  }
  const { serverLimit } = spec.hetzner
  const others = Math.max(0, live.projectServers - ours)
  // For a moment there are more: the servers that images are built on.
  const images = desired.filter(({ kind }) => kind === 'image').length
  const builders = images - liveImages(desired, live).length
  const needed = others + Math.max(wanted, ours) + (wanted > ours ? builders : 0)
  if (serverLimit !== undefined && needed > serverLimit) {
    findings.push({
      severity: 'error',
      path: ['hetzner', 'serverLimit'],
      message: `${needed} servers would be needed at once (${others} of them not this cluster's), and the limit is ${serverLimit}`,
      hint: 'Ask for a higher limit at https://console.hetzner.com/account/limits, or use fewer nodes.',
    })
  }
  return findings
}

function checkLoadBalancerType(spec: ClusterSpec, { catalogue }: HetznerLive): Finding[] {
  const { type } = spec.loadBalancer
  const known = catalogue.loadBalancerTypes.map(({ name }) => name)
  if (spec.endpoint.type !== 'loadBalancer' || known.includes(type)) return []
  return [
    {
      severity: 'error',
      path: ['loadBalancer', 'type'],
      message: `there is no load balancer type ${type}`,
      hint: `Take one of ${known.join(', ')}.`,
    },
  ]
}
