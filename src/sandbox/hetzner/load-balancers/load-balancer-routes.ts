import { z } from 'zod'
import { renderAction, startAction } from '../actions/run-action.ts'
import { isProtected } from '../api/api-error.ts'
import * as fields from '../api/fields.ts'
import { ensureNameFree, findRecord } from '../api/find-record.ts'
import { list, listQuery } from '../api/list.ts'
import { type Call, get, put, type Route, remove } from '../api/route.ts'
import { createLoadBalancerRoute } from './create-load-balancer.ts'
import type { LoadBalancerRecord } from './load-balancer.ts'
import { loadBalancerActionRoutes } from './load-balancer-action-routes.ts'
import { loadBalancerNetworkRoutes } from './load-balancer-network-routes.ts'
import { renderLoadBalancer } from './render-load-balancer.ts'

export const loadBalancerRoutes: Route[] = [
  get('/load_balancers', listQuery, (call) =>
    list(call, 'load_balancers', call.state.loadBalancers.values(), (balancer) =>
      renderLoadBalancer(call.world, balancer),
    ),
  ),
  get('/load_balancers/{id}', [], (call) => answer(call, findBalancer(call))),
  createLoadBalancerRoute,
  put(
    '/load_balancers/{id}',
    z.strictObject({ name: fields.resourceName.optional(), labels: fields.labels.optional() }),
    (call, body) => {
      const balancer = findBalancer(call)
      ensureNameFree(call.state.loadBalancers, body.name, balancer.id)
      balancer.name = body.name ?? balancer.name
      balancer.labels = body.labels ?? balancer.labels
      return answer(call, balancer)
    },
  ),
  // 201 with an action since 2026-10-05; it was 204 before. The command's name is not documented.
  remove('/load_balancers/{id}', (call) => {
    const balancer = findBalancer(call)
    if (balancer.deleteProtected) throw isProtected('load balancer deletion is protected')
    call.state.loadBalancers.delete(balancer.id)
    if (balancer.primaryIpv4 === undefined) call.world.addresses.release(balancer.ipv4)
    for (const ip of call.state.primaryIps.values()) {
      if (ip.assignee === balancer.id) ip.assignee = null
    }
    const action = startAction(call.world, {
      command: 'delete_load_balancer',
      resources: [{ id: balancer.id, type: 'load_balancer' }],
    })
    return { status: 201, body: { action: renderAction(call.world, action) } }
  }),
  ...loadBalancerActionRoutes,
  ...loadBalancerNetworkRoutes,
]

function findBalancer(call: Call): LoadBalancerRecord {
  return findRecord(call.state.loadBalancers, call.id, 'load balancer')
}

function answer(call: Call, balancer: LoadBalancerRecord) {
  return { status: 200, body: { load_balancer: renderLoadBalancer(call.world, balancer) } }
}
