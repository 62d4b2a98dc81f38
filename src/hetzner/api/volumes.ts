import { z } from 'zod'
import type { ApiAction } from './actions.ts'
import { actionAnswer, deleteAnswer, labelsSchema, protectionSchema } from './answers.ts'
import type { HetznerCaller } from './hetzner-caller.ts'

const volumeSchema = z.object({
  id: z.number(),
  name: z.string(),
  created: z.string(),
  server: z.number().nullish(),
  location: z.object({ name: z.string() }),
  /** GB. */
  size: z.number(),
  protection: protectionSchema,
  labels: labelsSchema,
})
export type ApiVolume = z.infer<typeof volumeSchema>

const answer = z.object({ volume: volumeSchema }).transform(({ volume }) => volume)

export interface Volumes {
  list(query?: { readonly label_selector?: string }): Promise<ApiVolume[]>
  get(id: number): Promise<ApiVolume>
  detach(id: number): Promise<ApiAction>
  /** Refused while it is attached. */
  delete(id: number): Promise<void>
}

export function createVolumes(caller: HetznerCaller): Volumes {
  return {
    list: (query = {}) =>
      caller.list({
        path: '/volumes',
        member: 'volumes',
        item: volumeSchema,
        query: { ...query },
        operation: 'list volumes',
      }),
    get: (id) =>
      caller.request({
        method: 'GET',
        path: `/volumes/${id}`,
        schema: answer,
        operation: 'read volume',
      }),
    detach: async (id) => {
      const { action } = await caller.request({
        method: 'POST',
        path: `/volumes/${id}/actions/detach`,
        schema: actionAnswer,
        operation: 'detach volume',
      })
      return action
    },
    delete: async (id) => {
      await caller.request({
        method: 'DELETE',
        path: `/volumes/${id}`,
        schema: deleteAnswer,
        operation: 'delete volume',
      })
    },
  }
}
