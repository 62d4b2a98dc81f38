import { z } from 'zod'
import type { HetznerCaller } from './hetzner-caller.ts'

const locationSchema = z.object({ id: z.number(), name: z.string(), network_zone: z.string() })
export type ApiLocation = z.infer<typeof locationSchema>

export function listLocations(caller: HetznerCaller): Promise<ApiLocation[]> {
  return caller.list({
    path: '/locations',
    member: 'locations',
    item: locationSchema,
    operation: 'list locations',
  })
}
