import { z } from 'zod'
import { answerAction } from '../actions/answer-action.ts'
import { ApiError, invalidFields, limitExceeded, refused } from '../api/api-error.ts'
import * as fields from '../api/fields.ts'
import { ensureNameFree, findRecord } from '../api/find-record.ts'
import { type Call, post, type Route } from '../api/route.ts'
import { findLoadBalancerType } from '../catalogue/load-balancer-types.ts'
import { findLocation, locationNamed, locations } from '../catalogue/locations.ts'
import { planAddress } from '../networks/address-plan.ts'
import type { PrimaryIpRecord } from '../primary-ips/primary-ip.ts'
import type { LoadBalancerRecord } from './load-balancer.ts'
import { renderLoadBalancer } from './render-load-balancer.ts'
import { readService, serviceBody } from './service-body.ts'
import { readTarget, targetBody } from './target-body.ts'

const maxBalancers = 20

const createBody = z.strictObject({
  name: fields.resourceName,
  load_balancer_type: fields.idOrName,
  location: fields.idOrName.optional(),
  network_zone: fields.networkZone.optional(),
  algorithm: z.strictObject({ type: z.enum(['round_robin', 'least_connections']) }).optional(),
  services: z.array(serviceBody).nullish(),
  targets: z.array(targetBody).nullish(),
  labels: fields.labels.nullish(),
  public_interface: z.boolean().optional(),
  public_net: z.strictObject({ ipv4: fields.id.nullish(), ipv6: fields.id.nullish() }).optional(),
  network: fields.id.optional(),
})

type CreateBody = z.infer<typeof createBody>

export const createLoadBalancerRoute: Route = post(
  '/load_balancers',
  createBody,
  async (call, body) => {
    const { world, state } = call
    const type = findLoadBalancerType(body.load_balancer_type)
    if (type === undefined) throw invalidFields(['load_balancer_type'])
    const location = readLocation(body)
    const network =
      body.network === undefined ? undefined : findRecord(state.networks, body.network, 'network')
    const own = {
      ipv4: readPrimaryIp(call, body, 'ipv4', location),
      ipv6: readPrimaryIp(call, body, 'ipv6', location),
    }
    const services = (body.services ?? []).map((service) =>
      readService(service, state.certificates),
    )
    ensureNameFree(state.loadBalancers, body.name)
    if (state.loadBalancers.size >= maxBalancers) {
      throw limitExceeded('load balancer', 'load_balancer_limit')
    }
    const zone = locationNamed(location).network_zone
    const net =
      network === undefined
        ? undefined
        : { network: network.id, ip: planAddress(state, network, zone, {}) }
    const id = state.nextId()
    const balancer: LoadBalancerRecord = {
      id,
      name: body.name,
      labels: body.labels ?? {},
      created: state.now(),
      type: type.name,
      location,
      publicEnabled: body.public_interface ?? true,
      ipv4: own.ipv4?.ip ?? (await world.addresses.allocate()),
      ipv6:
        own.ipv6?.ip.replace('::/64', '::1') ?? `2001:db8:ffff:${(id % 65_536).toString(16)}::1`,
      primaryIpv4: own.ipv4?.id,
      primaryIpv6: own.ipv6?.id,
      dnsPtrs: {},
      privateNets: net === undefined ? [] : [net],
      attaching: [],
      deleteProtected: false,
      services,
      targets: [],
      algorithm: body.algorithm?.type ?? 'round_robin',
    }
    addTargets(call, balancer, body)
    // The address was awaited: another balancer may have taken the name meanwhile.
    ensureNameFree(state.loadBalancers, body.name)
    state.loadBalancers.set(id, balancer)
    for (const ip of [own.ipv4, own.ipv6]) {
      if (ip !== undefined) Object.assign(ip, { assignee: id, assigneeType: 'load_balancer' })
    }
    const answer = { load_balancer: renderLoadBalancer(world, balancer) }
    if (net !== undefined) hideUntilDone(balancer, net)
    return answerAction(
      call,
      {
        command: 'create_load_balancer',
        resources: [{ id, type: 'load_balancer' }],
        latency: 'create-load-balancer',
        changes: id,
        run: () => {
          balancer.privateNets.push(...balancer.attaching.splice(0))
        },
        fail: () => void state.loadBalancers.delete(id),
      },
      answer,
    )
  },
)

/** Its private side shows up only when the action has ended. */
function hideUntilDone(
  balancer: LoadBalancerRecord,
  net: LoadBalancerRecord['privateNets'][number],
): void {
  balancer.privateNets = []
  balancer.attaching.push(net)
}

function addTargets(call: Call, balancer: LoadBalancerRecord, body: CreateBody): void {
  for (const target of body.targets ?? []) {
    balancer.targets.push(readTarget(call.world, balancer, target))
  }
}

/** An existing primary IP that the load balancer is to get, if it may have it. */
function readPrimaryIp(
  { state }: Call,
  body: CreateBody,
  type: 'ipv4' | 'ipv6',
  location: string,
): PrimaryIpRecord | undefined {
  const id = body.public_net?.[type]
  if (id == null) return undefined
  const ip = findRecord(state.primaryIps, id, 'primary IP')
  if (ip.type !== type) {
    throw new ApiError(412, 'primary_ip_version_mismatch', 'Primary IP has the wrong version')
  }
  if (ip.assignee !== null) throw refused('primary_ip_assigned', 'Primary IP is already assigned')
  if (ip.location !== location) {
    throw refused('primary_ip_location_mismatch', 'Primary IP is in a different location')
  }
  return ip
}

function readLocation(body: CreateBody): string {
  if ((body.location === undefined) === (body.network_zone === undefined)) {
    throw invalidFields(['location', 'network_zone'])
  }
  const found =
    body.location === undefined
      ? locations.find((location) => location.network_zone === body.network_zone)
      : findLocation(body.location)
  if (found === undefined) throw invalidFields(['location'])
  return found.name
}
