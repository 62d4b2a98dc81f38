import type { World } from '../../world.ts'
import { loadBalancerTypeNamed, renderLoadBalancerType } from '../catalogue/load-balancer-types.ts'
import { locationNamed } from '../catalogue/locations.ts'
import { formatTime } from '../labels.ts'
import type { LoadBalancerRecord, LoadBalancerTarget } from './load-balancer.ts'
import { serversOfTarget } from './servers-of-target.ts'
import { renderService } from './service-body.ts'
import { renderHealth } from './target-health.ts'

export function renderLoadBalancer(
  world: World,
  balancer: LoadBalancerRecord,
): Record<string, unknown> {
  const { ipv4, ipv6, dnsPtrs } = balancer
  return {
    id: balancer.id,
    name: balancer.name,
    public_net: {
      enabled: balancer.publicEnabled,
      ipv4: {
        ...(balancer.primaryIpv4 && { id: balancer.primaryIpv4 }),
        ip: ipv4,
        blocked: false,
        dns_ptr: dnsPtrs[ipv4] ?? null,
      },
      ipv6: {
        ...(balancer.primaryIpv6 && { id: balancer.primaryIpv6 }),
        ip: ipv6,
        blocked: false,
        dns_ptr: dnsPtrs[ipv6] ?? null,
      },
    },
    private_net: balancer.privateNets.map(({ network, ip }) => ({ network, ip })),
    location: locationNamed(balancer.location),
    load_balancer_type: renderLoadBalancerType(loadBalancerTypeNamed(balancer.type)),
    protection: { delete: balancer.deleteProtected },
    labels: balancer.labels,
    created: formatTime(balancer.created),
    services: balancer.services.map(renderService),
    targets: balancer.targets.map((target) => renderTarget(world, balancer, target)),
    algorithm: { type: balancer.algorithm },
    outgoing_traffic: 0,
    ingoing_traffic: 0,
    included_traffic: 20 * 2 ** 40,
  }
}

function renderTarget(
  world: World,
  balancer: LoadBalancerRecord,
  target: LoadBalancerTarget,
): Record<string, unknown> {
  if (target.type === 'ip') return { type: 'ip', ip: { ip: target.ip }, health_status: [] }
  const servers = serversOfTarget(world, balancer, target).map((server) => ({
    type: 'server',
    server: { id: server.id },
    health_status: renderHealth(world, balancer, server, Math.max(target.since, server.created)),
    use_private_ip: target.usePrivateIp,
  }))
  if (target.type === 'server') {
    const [server] = servers
    return { ...server }
  }
  return {
    type: 'label_selector',
    label_selector: { selector: target.selector },
    use_private_ip: target.usePrivateIp,
    targets: servers,
  }
}
