import { z } from 'zod'
import { labelsSchema } from './answers.ts'
import type { HetznerCaller } from './hetzner-caller.ts'

const floatingIpSchema = z.object({
  id: z.number(),
  name: z.string(),
  ip: z.string(),
  /** `ipv4` or `ipv6`. */
  type: z.string(),
  server: z.number().nullish(),
  home_location: z.object({ name: z.string() }),
  labels: labelsSchema,
})
type ApiFloatingIp = z.infer<typeof floatingIpSchema>

/** We only look at them: none of them is ever ours to delete. */
export interface FloatingIps {
  list(): Promise<ApiFloatingIp[]>
}

export function createFloatingIps(caller: HetznerCaller): FloatingIps {
  return {
    list: () =>
      caller.list({
        path: '/floating_ips',
        member: 'floating_ips',
        item: floatingIpSchema,
        operation: 'list floating IPs',
      }),
  }
}
