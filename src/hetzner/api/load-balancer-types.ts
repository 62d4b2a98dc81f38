import { z } from 'zod'
import { typePricesSchema } from './answers.ts'
import type { HetznerCaller } from './hetzner-caller.ts'

const loadBalancerTypeSchema = z.object({
  id: z.number(),
  name: z.string(),
  max_targets: z.number().nullish(),
  prices: typePricesSchema,
})
export type ApiLoadBalancerType = z.infer<typeof loadBalancerTypeSchema>

export function listLoadBalancerTypes(caller: HetznerCaller): Promise<ApiLoadBalancerType[]> {
  return caller.list({
    path: '/load_balancer_types',
    member: 'load_balancer_types',
    item: loadBalancerTypeSchema,
    operation: 'list load balancer types',
  })
}
