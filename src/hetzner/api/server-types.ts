import { z } from 'zod'
import { deprecationSchema, typePricesSchema } from './answers.ts'
import type { HetznerCaller } from './hetzner-caller.ts'

const serverTypeSchema = z.object({
  id: z.number(),
  name: z.string(),
  cores: z.number(),
  /** GB. */
  memory: z.number(),
  /** GB. */
  disk: z.number(),
  /** `shared` or `dedicated`. */
  cpu_type: z.string(),
  /** `x86` or `arm`. */
  architecture: z.string(),
  prices: typePricesSchema,
  /** Where it is sold; each place has its own deprecation. The type's own one is to be ignored. */
  locations: z
    .array(
      z.object({
        name: z.string(),
        available: z.boolean().nullish(),
        recommended: z.boolean().nullish(),
        deprecation: deprecationSchema,
      }),
    )
    .nullish(),
})
export type ApiServerType = z.infer<typeof serverTypeSchema>

export function listServerTypes(caller: HetznerCaller): Promise<ApiServerType[]> {
  return caller.list({
    path: '/server_types',
    member: 'server_types',
    item: serverTypeSchema,
    operation: 'list server types',
  })
}
