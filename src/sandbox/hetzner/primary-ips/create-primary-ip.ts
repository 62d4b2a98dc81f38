import type { World } from '../../world.ts'
import { limitExceeded } from '../api/api-error.ts'
import type { Labels } from '../labels.ts'
import { ipv6Network } from './ipv6-network.ts'
import type { PrimaryIpRecord } from './primary-ip.ts'

export interface NewPrimaryIp {
  readonly type: 'ipv4' | 'ipv6'
  readonly location: string
  /** `primary_ip-<id>` where absent, as for those that come with a server. */
  readonly name?: string | undefined
  readonly auto_delete?: boolean | undefined
  readonly labels?: Labels | undefined
}

/** Makes an unassigned primary IP with an address of its own. 403 at the account's limit. */
export async function createPrimaryIp(
  world: World,
  wanted: NewPrimaryIp,
): Promise<PrimaryIpRecord> {
  const { hetzner } = world
  if (hetzner.primaryIps.size >= world.limits.primaryIps) {
    throw limitExceeded('Primary IP', 'primary_ip_limit')
  }
  const id = hetzner.nextId()
  const ip = wanted.type === 'ipv4' ? await world.addresses.allocate() : ipv6Network(id)
  const record: PrimaryIpRecord = {
    id,
    name: wanted.name ?? `primary_ip-${id}`,
    labels: wanted.labels ?? {},
    created: hetzner.now(),
    type: wanted.type,
    ip,
    location: wanted.location,
    assignee: null,
    assigneeType: 'server',
    autoDelete: wanted.auto_delete ?? false,
    deleteProtected: false,
    dnsPtrs: wanted.type === 'ipv4' ? { [ip]: `static.${ip}.clients.sandbox.invalid` } : {},
  }
  hetzner.primaryIps.set(id, record)
  return record
}
