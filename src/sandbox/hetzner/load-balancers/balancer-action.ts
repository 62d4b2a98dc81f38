import type { LatencyName } from '../../latency.ts'
import type { ActionResource } from '../actions/action.ts'
import { answerAction } from '../actions/answer-action.ts'
import { ensureUnchanging } from '../actions/run-action.ts'
import { findRecord } from '../api/find-record.ts'
import type { Answer, Call } from '../api/route.ts'
import type { LoadBalancerRecord } from './load-balancer.ts'

export interface BalancerPlan {
  readonly latency?: LatencyName
  readonly besides?: readonly ActionResource[]
  readonly run?: () => void
  readonly fail?: () => void
}

/**
 * Changes the load balancer of the path by an action: 404 where there is none, 409 while another
 * action changes it, then whatever `plan` throws.
 */
export function changeBalancer(
  call: Call,
  command: string,
  plan: (balancer: LoadBalancerRecord) => BalancerPlan | undefined,
): Answer {
  const balancer = findRecord(call.state.loadBalancers, call.id, 'load balancer')
  ensureUnchanging(call.world, balancer.id)
  const { besides = [], latency = 'change', run, fail } = plan(balancer) ?? {}
  return answerAction(call, {
    command,
    resources: [{ id: balancer.id, type: 'load_balancer' }, ...besides],
    latency,
    changes: balancer.id,
    ...(run && { run }),
    ...(fail && { fail }),
  })
}
