import { z } from 'zod'
import type { FieldChange } from '../../../plan/change.ts'
import type { ClusterNode } from '../../../plan/cluster-node.ts'
import type { DiffRules } from '../../../plan/diff-records.ts'
import type { ClusterRecord, RecordKey } from '../../../plan/record.ts'
import type { Architecture, ClusterSpec } from '../../../spec/cluster-spec.ts'
import type { ApiServer } from '../../api/servers.ts'
import { type HetznerCatalogue, serverPrice } from '../../catalogue.ts'
import type { OwnResource } from '../../own-resources.ts'
import { type ClusterIdentity, ownLabels, resourceLabels } from '../../ownership.ts'
import { poolOf } from '../../pool-of.ts'
import { placementGroupName } from '../placement-group/placement-group-name.ts'
import {
  type NetworkNames,
  networkNeeds,
  ownFacts,
  priced,
  protectionFact,
} from '../record-parts.ts'

export const serverSpecSchema = z.object({
  name: z.string(),
  role: z.string(),
  pool: z.string(),
  serverType: z.string(),
  location: z.string(),
  /** What the disk was first filled from. Never a difference: Talos upgrades itself in place. */
  image: z.union([z.object({ knownAfter: z.string() }), z.number()]),
  network: z.string().nullable(),
  privateIp: z.string().nullable(),
  publicIpv4: z.boolean(),
  publicIpv6: z.boolean(),
  placementGroup: z.string().nullable(),
  /** Null where there is no public side to filter. */
  firewall: z.string().nullable(),
  power: z.enum(['on', 'off']),
  labels: z.record(z.string(), z.string()),
})
export type ServerSpec = z.infer<typeof serverSpecSchema>

export interface ServerContext {
  readonly identity: ClusterIdentity
  readonly catalogue: HetznerCatalogue
  /** The record of the image that a node of this architecture is made from. */
  readonly imageKey: (arch: Architecture) => RecordKey
}

export function desireServer(
  spec: ClusterSpec,
  node: ClusterNode,
  { identity, catalogue, imageKey }: ServerContext,
): ClusterRecord {
  const { type: serverType, arch } = poolOf(spec, node)
  const image = imageKey(arch)
  const { location = spec.hetzner.region } = node
  const placementGroup = placementGroupName(spec.clusterName, node.pool, node.slot)
  const hasPublicSide = node.publicIpv4 || node.publicIpv6
  const server: ServerSpec = {
    name: node.name,
    role: node.role,
    pool: node.pool,
    serverType,
    location,
    image: { knownAfter: image },
    network: spec.hetzner.network ?? spec.clusterName,
    privateIp: node.privateIp,
    publicIpv4: node.publicIpv4,
    publicIpv6: node.publicIpv6,
    placementGroup,
    firewall: hasPublicSide ? spec.clusterName : null,
    power: 'on',
    labels: {
      ...resourceLabels(identity, 'server'),
      role: node.role,
      pool: node.pool,
      slot: String(node.slot),
    },
  }
  return {
    kind: 'server',
    name: node.name,
    spec: server,
    needs: [
      image,
      `firewall/${spec.clusterName}`,
      `placement-group/${placementGroup}`,
      ...(spec.hetzner.network === undefined ? [`network/${spec.clusterName}` as const] : []),
      ...(spec.hetzner.sshKeys.length === 0 ? [`ssh-key/${spec.clusterName}` as const] : []),
    ],
    ...priced(serverPrice(catalogue, serverType, location, node.publicIpv4)),
  }
}

export interface LiveServerContext {
  readonly networks: NetworkNames
  readonly catalogue: HetznerCatalogue
  /** The cluster's firewall, where it exists. */
  readonly firewall: OwnResource<{ readonly id: number }> | undefined
  /** Names of the records of our placement groups, by id. */
  readonly groups: ReadonlyMap<number, string>
}

/** What the state knows of a node counts more than the labels of its server, which anybody may edit. */
export function liveServer(own: OwnResource<ApiServer>, context: LiveServerContext): ClusterRecord {
  const { networks, catalogue, groups } = context
  const { item: server, node } = own
  const { public_net, labels } = server
  const attached = networks.attachment(server.private_net)
  const group = server.placement_group
  const placementGroup = group ? (groups.get(group.id) ?? group.name) : null
  const firewall = appliedFirewall(server, context)
  const hardware = { serverType: server.server_type.name, location: server.location.name }
  const publicIpv4 = Boolean(public_net.ipv4)
  const spec: ServerSpec = {
    name: server.name,
    role: node?.role ?? labels['role'] ?? '',
    pool: node?.pool ?? labels['pool'] ?? '',
    ...hardware,
    image: server.image?.id ?? 0,
    network: attached?.name ?? null,
    privateIp: attached?.ip ?? null,
    publicIpv4,
    publicIpv6: Boolean(public_net.ipv6),
    placementGroup,
    firewall,
    power: isOff(server) ? 'off' : 'on',
    labels: ownLabels(labels),
  }
  return {
    kind: 'server',
    name: own.name,
    spec,
    needs: [
      ...networkNeeds(attached),
      ...(firewall === null ? [] : [`firewall/${firewall}` as const]),
      ...(placementGroup === null ? [] : [`placement-group/${placementGroup}` as const]),
    ],
    ...priced(serverPrice(catalogue, hardware.serverType, hardware.location, publicIpv4)),
    facts: {
      ...ownFacts(own),
      ...serverFacts(server, attached?.ip ?? null),
      ...protectionFact(server),
      backups: Boolean(server.backup_window),
      reverseDns: public_net.ipv4?.dns_ptr ?? null,
    },
  }
}

/** What others need to know of a server that only Hetzner decides. */
export function serverFacts({ id, status, public_net }: ApiServer, privateIp: string | null) {
  return {
    id,
    publicIp: public_net.ipv4?.ip ?? null,
    publicIpv6: public_net.ipv6?.ip ?? null,
    privateIp,
    status,
  }
}

function appliedFirewall({ public_net }: ApiServer, { firewall }: LiveServerContext) {
  const applied = (public_net.firewalls ?? []).some(({ id }) => id === firewall?.item.id)
  return applied && firewall ? firewall.name : null
}

/** A server that is still being made has not been switched on either. */
function isOff({ status }: ApiServer): boolean {
  return status === 'off' || status === 'stopping' || status === 'initializing'
}

/** What makes a server another one. */
const identifying = ['serverType', 'location', 'network', 'privateIp', 'publicIpv4', 'publicIpv6']

/**
 * Whether its making was cut short, so that the rest of it is still part of a create. A node that was
 * once finished and is off now is something else: somebody switched it off.
 */
export function isUnfinishedServer({ spec }: ClusterRecord, wasFinished: boolean): boolean {
  const { privateIp, power } = serverSpecSchema.parse(spec)
  return !wasFinished && (privateIp === null || power === 'off')
}

export const serverRules: DiffRules = {
  create: () => ({ risk: 'additive', reason: 'the spec asks for this node' }),
  delete: (before) =>
    isControlPlane(before)
      ? { risk: 'quorum', reason: 'the spec no longer asks for this control plane' }
      : { risk: 'drain', reason: 'the spec no longer asks for this node' },
  update: (before, _after, fields) => {
    // What was changed by hand is put back on the server that is there, or left: see drift.ts.
    const isDetached = before.spec['privateIp'] === null
    const inPlace = ({ path, byHand }: FieldChange) =>
      byHand || (isDetached && (path === 'network' || path === 'privateIp'))
    const fixed = fields.filter((field) => identifying.includes(field.path) && !inPlace(field))
    if (fixed.length > 0) {
      return {
        action: 'replace',
        risk: isControlPlane(before) ? 'quorum' : 'replace',
        reason: `${fixed.map(({ path }) => fieldNames[path] ?? path).join(' and ')} cannot be changed in place`,
      }
    }
    return { action: 'update', ...updateRisk(before, fields) }
  },
}

const fieldNames: Readonly<Record<string, string>> = {
  serverType: 'the server type',
  location: 'the location',
  network: 'the network',
  privateIp: 'the private address',
  publicIpv4: 'the public IPv4 address',
  publicIpv6: 'the public IPv6 address',
}

function updateRisk(before: ClusterRecord, fields: readonly FieldChange[]) {
  if (fields.some(({ path }) => path === 'placementGroup')) {
    return {
      risk: isControlPlane(before) ? ('quorum' as const) : ('reboot' as const),
      reason: 'a server changes its placement group only while it is off',
    }
  }
  const risk = 'live' as const
  return fields.some(({ path }) => path === 'power')
    ? { risk, reason: 'it was switched off' }
    : { risk, reason: 'changed in place' }
}

function isControlPlane({ spec }: ClusterRecord): boolean {
  return spec['role'] === 'control-plane'
}
