import { z } from 'zod'
import { labelsSchema } from './answers.ts'
import type { HetznerCaller } from './hetzner-caller.ts'

const primaryIpSchema = z.object({
  id: z.number(),
  name: z.string(),
  ip: z.string(),
  /** `ipv4` or `ipv6`. */
  type: z.string(),
  assignee_id: z.number().nullish(),
  /** `server`, `load_balancer` or `unassigned`. */
  assignee_type: z.string().nullish(),
  /** Whether it goes with what it is assigned to. */
  auto_delete: z.boolean(),
  location: z.object({ name: z.string() }),
  labels: labelsSchema,
})
export type ApiPrimaryIp = z.infer<typeof primaryIpSchema>

/** We only look at them: those that come with a server go with it. */
export function listPrimaryIps(caller: HetznerCaller): Promise<ApiPrimaryIp[]> {
  return caller.list({
    path: '/primary_ips',
    member: 'primary_ips',
    item: primaryIpSchema,
    operation: 'list primary IPs',
  })
}
