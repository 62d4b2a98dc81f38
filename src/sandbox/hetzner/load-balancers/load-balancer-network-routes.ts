import { z } from 'zod'
import { notFound, refused } from '../api/api-error.ts'
import * as fields from '../api/fields.ts'
import { findRecord } from '../api/find-record.ts'
import { post, type Route } from '../api/route.ts'
import { locationNamed } from '../catalogue/locations.ts'
import { planAddress } from '../networks/address-plan.ts'
import { changeBalancer } from './balancer-action.ts'
import type { LoadBalancerTarget } from './load-balancer.ts'

const at = (action: string) => `/load_balancers/{id}/actions/${action}`

/** How a load balancer is reached, and reaches its targets. */
export const loadBalancerNetworkRoutes: Route[] = [
  post(
    at('attach_to_network'),
    z.strictObject({
      network: fields.id,
      ip: z.string().optional(),
      ip_range: z.string().optional(),
    }),
    (call, body) =>
      changeBalancer(call, 'attach_to_network', (balancer) => {
        const network = findRecord(call.state.networks, body.network, 'network')
        if (balancer.privateNets.length > 0) {
          throw refused('load_balancer_already_attached', 'load balancer is already attached')
        }
        const zone = locationNamed(balancer.location).network_zone
        const wanted = { ip: body.ip, ipRange: body.ip_range }
        const net = { network: network.id, ip: planAddress(call.state, network, zone, wanted) }
        balancer.attaching.push(net)
        return {
          latency: 'attach-to-network',
          besides: [{ id: network.id, type: 'network' }],
          run: () => {
            balancer.attaching = []
            if (call.state.networks.has(network.id)) balancer.privateNets.push(net)
          },
          fail: () => {
            balancer.attaching = []
          },
        }
      }),
  ),
  post(at('detach_from_network'), z.strictObject({ network: fields.id }), (call, body) =>
    changeBalancer(call, 'detach_from_network', (balancer) => {
      if (!balancer.privateNets.some((net) => net.network === body.network)) {
        throw notFound('network', body.network)
      }
      return {
        besides: [{ id: body.network, type: 'network' }],
        run: () => {
          balancer.privateNets = balancer.privateNets.filter((net) => net.network !== body.network)
        },
      }
    }),
  ),
  post(at('enable_public_interface'), fields.nothing, (call) =>
    changeBalancer(call, 'enable_public_interface', (balancer) => {
      balancer.publicEnabled = true
      return undefined
    }),
  ),
  post(at('disable_public_interface'), fields.nothing, (call) =>
    changeBalancer(call, 'disable_public_interface', (balancer) => {
      if (balancer.privateNets.length === 0) {
        throw refused(
          'load_balancer_not_attached_to_network',
          'load balancer is not attached to a network',
        )
      }
      if (balancer.targets.some(isPublic)) {
        throw refused('targets_without_use_private_ip', 'a target is not reached by its private IP')
      }
      balancer.publicEnabled = false
      return undefined
    }),
  ),
]

function isPublic(target: LoadBalancerTarget): boolean {
  return target.type !== 'ip' && !target.usePrivateIp
}
