import { z } from 'zod'
import { deleteAnswer, deprecationSchema, labelsSchema, protectionSchema } from './answers.ts'
import type { HetznerCaller } from './hetzner-caller.ts'

const imageSchema = z.object({
  id: z.number(),
  type: z.string(),
  /** `available`, `creating` or `unavailable`. */
  status: z.string(),
  name: z.string().nullish(),
  description: z.string(),
  /** GB; null until the snapshot is done. */
  image_size: z.number().nullish(),
  /** GB; a server's disk must be at least as large. */
  disk_size: z.number(),
  created: z.string(),
  created_from: z.object({ id: z.number(), name: z.string().nullish() }).nullish(),
  architecture: z.string(),
  deprecated: z.string().nullish(),
  deprecation: deprecationSchema,
  deleted: z.string().nullish(),
  protection: protectionSchema,
  labels: labelsSchema,
})
export type ApiImage = z.infer<typeof imageSchema>

const answer = z.object({ image: imageSchema }).transform(({ image }) => image)

export interface Images {
  list(query: {
    readonly type: 'snapshot' | 'system'
    readonly label_selector?: string
    readonly name?: string
    readonly architecture?: string
  }): Promise<ApiImage[]>
  get(id: number): Promise<ApiImage>
  delete(id: number): Promise<void>
}

export function createImages(caller: HetznerCaller): Images {
  return {
    list: (query) =>
      caller.list({
        path: '/images',
        member: 'images',
        item: imageSchema,
        query: { ...query },
        operation: 'list images',
      }),
    get: (id) =>
      caller.request({
        method: 'GET',
        path: `/images/${id}`,
        schema: answer,
        operation: 'read image',
      }),
    delete: async (id) => {
      await caller.request({
        method: 'DELETE',
        path: `/images/${id}`,
        schema: deleteAnswer,
        operation: 'delete image',
      })
    },
  }
}
