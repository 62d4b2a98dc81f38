import { z } from 'zod'
import { type ApiAction, actionSchema } from './actions.ts'
import { deleteAnswer, labelsSchema } from './answers.ts'
import type { HetznerCaller } from './hetzner-caller.ts'

const placementGroupSchema = z.object({
  id: z.number(),
  name: z.string(),
  type: z.string(),
  servers: z.array(z.number()).nullish(),
  labels: labelsSchema,
})
export type ApiPlacementGroup = z.infer<typeof placementGroupSchema>

const answer = z
  .object({ placement_group: placementGroupSchema })
  .transform(({ placement_group }) => placement_group)
const createAnswer = z
  .object({ placement_group: placementGroupSchema, action: actionSchema.nullish() })
  .transform(({ placement_group, action }) => ({
    resource: placement_group,
    actions: action ? [action] : [],
  }))

export interface PlacementGroups {
  list(query?: {
    readonly name?: string
    readonly label_selector?: string
  }): Promise<ApiPlacementGroup[]>
  get(id: number): Promise<ApiPlacementGroup>
  create(body: {
    readonly name: string
    readonly type: 'spread'
    readonly labels: Readonly<Record<string, string>>
  }): Promise<{ resource: ApiPlacementGroup; actions: ApiAction[] }>
  /** Replaces the whole map. */
  setLabels(id: number, labels: Readonly<Record<string, string>>): Promise<ApiPlacementGroup>
  rename(id: number, name: string): Promise<ApiPlacementGroup>
  delete(id: number): Promise<void>
}

export function createPlacementGroups(caller: HetznerCaller): PlacementGroups {
  return {
    list: (query = {}) =>
      caller.list({
        path: '/placement_groups',
        member: 'placement_groups',
        item: placementGroupSchema,
        query: { ...query },
        operation: 'list placement groups',
      }),
    get: (id) =>
      caller.request({
        method: 'GET',
        path: `/placement_groups/${id}`,
        schema: answer,
        operation: 'read placement group',
      }),
    create: (body) =>
      caller.request({
        method: 'POST',
        path: '/placement_groups',
        body: { ...body },
        schema: createAnswer,
        repeat: 'once',
        operation: 'create placement group',
        target: body.name,
      }),
    setLabels: (id, labels) =>
      caller.request({
        method: 'PUT',
        path: `/placement_groups/${id}`,
        body: { labels },
        schema: answer,
        operation: 'label placement group',
      }),
    rename: (id, name) =>
      caller.request({
        method: 'PUT',
        path: `/placement_groups/${id}`,
        body: { name },
        schema: answer,
        operation: 'rename placement group',
      }),
    delete: async (id) => {
      await caller.request({
        method: 'DELETE',
        path: `/placement_groups/${id}`,
        schema: deleteAnswer,
        operation: 'delete placement group',
      })
    },
  }
}
