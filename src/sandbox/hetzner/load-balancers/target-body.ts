import { z } from 'zod'
import type { World } from '../../world.ts'
import { invalidFields, invalidInput, refused } from '../api/api-error.ts'
import * as fields from '../api/fields.ts'
import { parseSelector } from '../label-selector.ts'
import type { LoadBalancerRecord, LoadBalancerTarget } from './load-balancer.ts'
import { qualifies } from './servers-of-target.ts'

export const targetBody = z.strictObject({
  type: z.enum(['server', 'label_selector', 'ip']),
  server: z.strictObject({ id: fields.id }).optional(),
  label_selector: z.strictObject({ selector: fields.selector }).optional(),
  ip: z.strictObject({ ip: z.string() }).optional(),
  use_private_ip: z.boolean().optional(),
})

type TargetBody = z.infer<typeof targetBody>

/** Reads a target and checks that the load balancer can have it. */
export function readTarget(
  world: World,
  balancer: LoadBalancerRecord,
  body: TargetBody,
): LoadBalancerTarget {
  const target = parseTarget(body, world.clock.now())
  if (balancer.targets.some((other) => isSameTarget(other, target))) {
    throw refused('target_already_defined', 'target is already defined')
  }
  if (target.type === 'ip') throw refused('ip_not_owned', 'IP is not owned by the account')
  ensureConnected(balancer, target.usePrivateIp)
  if (target.type === 'server') ensureResolvable(world, balancer, target)
  return target
}

/** A target as a body names it, unchecked: to be removed, or looked for. */
export function parseTarget(body: TargetBody, since: number): LoadBalancerTarget {
  const usePrivateIp = body.use_private_ip ?? false
  switch (body.type) {
    case 'server':
      if (body.server === undefined) throw invalidFields(['server'])
      return { type: 'server', server: body.server.id, usePrivateIp, since }
    case 'label_selector': {
      const selector = body.label_selector?.selector
      if (selector === undefined || parseSelector(selector) === undefined) {
        throw invalidFields(['label_selector'])
      }
      return { type: 'label_selector', selector, usePrivateIp, since }
    }
    case 'ip':
      if (body.ip === undefined) throw invalidFields(['ip'])
      return { type: 'ip', ip: body.ip.ip, since }
  }
}

/** Targets are the same by what they name; how they are reached does not make another one. */
export function isSameTarget(a: LoadBalancerTarget, b: LoadBalancerTarget): boolean {
  if (a.type === 'server') return b.type === 'server' && a.server === b.server
  if (a.type === 'ip') return b.type === 'ip' && a.ip === b.ip
  return b.type === 'label_selector' && a.selector === b.selector
}

function ensureConnected(balancer: LoadBalancerRecord, usePrivateIp: boolean): void {
  if (usePrivateIp && balancer.privateNets.length === 0) {
    throw refused(
      'load_balancer_not_attached_to_network',
      'load balancer is not attached to a network',
    )
  }
  if (!usePrivateIp && !balancer.publicEnabled) {
    throw refused(
      'load_balancer_public_interface_disabled',
      'load balancer public interface is disabled, cannot add target using public IP',
    )
  }
}

function ensureResolvable(
  world: World,
  balancer: LoadBalancerRecord,
  { server: id, usePrivateIp }: { server: number; usePrivateIp: boolean },
): void {
  const server = world.hetzner.servers.get(id)
  if (server === undefined) throw invalidInput(`server with ID ${id} not found`)
  if (qualifies(balancer, server, usePrivateIp)) return
  throw usePrivateIp
    ? refused('resolve_cloud_private_targets_error', 'server is not attached to the network')
    : refused('resolve_cloud_public_targets_error', 'server has no public IPv4')
}
