import {
  ApiError,
  alreadyUsed,
  invalidFields,
  invalidInput,
  limitExceeded,
  noCapacity,
  refused,
} from '../api/api-error.ts'
import { findRecord } from '../api/find-record.ts'
import type { Call } from '../api/route.ts'
import { findLocation, locationNamed } from '../catalogue/locations.ts'
import { findServerType, isSoldIn, type ServerType } from '../catalogue/server-types.ts'
import type { FirewallRecord } from '../firewalls/firewall.ts'
import type { ImageRecord } from '../images/image.ts'
import type { Labels } from '../labels.ts'
import { planAddress } from '../networks/address-plan.ts'
import { ensureRoomInGroup } from '../placement-groups/placement-group-routes.ts'
import type { VolumeRecord } from '../volumes/volume.ts'
import type { CreateServerBody } from './create-server.ts'
import { resolveImage } from './resolve-image.ts'

/** A server that can be built: every name resolved, every check passed. */
export interface ServerOrder {
  readonly name: string
  readonly labels: Labels
  readonly type: ServerType
  readonly image: ImageRecord
  readonly location: string
  readonly start: boolean
  readonly placementGroup: number | null
  readonly networks: readonly number[]
  readonly firewalls: readonly FirewallRecord[]
  readonly volumes: readonly VolumeRecord[]
  readonly userData: string | undefined
  /** `new`, none, or the id of an existing one. */
  readonly ipv4: 'new' | null | number
  readonly ipv6: 'new' | null | number
}

/** Checks in Hetzner's order: references, uniqueness, limits, capacity. */
export function readOrder(call: Call, body: CreateServerBody): ServerOrder {
  const { state, world } = call
  const type = findServerType(body.server_type)
  if (type === undefined) throw invalidFields(['server_type'])
  const image = resolveImage(state, body.image, type)
  const location = readLocation(body.location, type)
  const order: ServerOrder = {
    name: body.name,
    labels: body.labels ?? {},
    type,
    image,
    location,
    start: body.start_after_create ?? true,
    placementGroup: body.placement_group ?? null,
    networks: body.networks ?? [],
    firewalls: (body.firewalls ?? []).map(({ firewall }) =>
      findRecord(state.firewalls, firewall, 'firewall'),
    ),
    volumes: (body.volumes ?? []).map((id) => readVolume(call, id, location)),
    userData: body.user_data,
    ipv4: readPrimaryIp(call, 'ipv4', body, location),
    ipv6: readPrimaryIp(call, 'ipv6', body, location),
  }
  checkReferences(call, body, order)
  if ([...state.servers.values()].some((server) => server.name === body.name)) {
    throw alreadyUsed('name', 'server name is already used')
  }
  if (state.servers.size >= world.limits.servers) throw limitExceeded('server', 'server_limit')
  if (order.placementGroup !== null) ensureRoomInGroup(state, order.placementGroup)
  if (!isSoldIn(type, location)) throw invalidInput('unsupported location for server type')
  if (world.faults.isSoldOut(type.name, location)) throw noCapacity()
  return order
}

function checkReferences(call: Call, body: CreateServerBody, order: ServerOrder): void {
  const { state } = call
  const keys = [...state.sshKeys.values()]
  for (const wanted of body.ssh_keys ?? []) {
    if (!keys.some((key) => key.name === wanted || String(key.id) === String(wanted))) {
      throw invalidFields(['ssh_keys'])
    }
  }
  if (order.placementGroup !== null) {
    findRecord(state.placementGroups, order.placementGroup, 'placement group')
  }
  const zone = locationNamed(order.location).network_zone
  for (const id of order.networks) {
    planAddress(state, findRecord(state.networks, id, 'network'), zone, {})
  }
  const unreachable = order.ipv4 === null && order.ipv6 === null && order.networks.length === 0
  if (unreachable) throw invalidFields(['public_net'])
}

function readLocation(wanted: string | number | undefined, type: ServerType): string {
  if (wanted === undefined) {
    const [first] = [...type.cents.keys()].filter((name) => isSoldIn(type, name))
    if (first === undefined) throw invalidInput('unsupported location for server type')
    return first
  }
  const location = findLocation(wanted)
  if (location === undefined) throw invalidFields(['location'])
  return location.name
}

function readVolume(call: Call, id: number, location: string): VolumeRecord {
  const volume = findRecord(call.state.volumes, id, 'volume')
  if (volume.server !== null) throw invalidInput(`volume with ID ${id} is already attached`)
  if (volume.location !== location)
    throw invalidInput(`volume with ID ${id} is in another location`)
  return volume
}

function readPrimaryIp(
  call: Call,
  type: 'ipv4' | 'ipv6',
  { public_net: wanted }: CreateServerBody,
  location: string,
): 'new' | null | number {
  if (wanted?.[`enable_${type}`] === false) return null
  const id = wanted?.[type]
  if (id == null) return 'new'
  const ip = findRecord(call.state.primaryIps, id, 'primary IP')
  if (ip.type !== type) {
    throw new ApiError(412, 'primary_ip_version_mismatch', 'Primary IP has the wrong version')
  }
  if (ip.assignee !== null) throw refused('primary_ip_assigned', 'Primary IP is already assigned')
  if (ip.location !== location) {
    throw refused(
      'primary_ip_datacenter_mismatch',
      `Primary IP with ID ${id} is in a different location`,
    )
  }
  return id
}
