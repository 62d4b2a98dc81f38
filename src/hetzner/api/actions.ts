import { z } from 'zod'
import type { HetznerCaller } from './hetzner-caller.ts'

export const actionSchema = z.object({
  id: z.number(),
  command: z.string(),
  /** `running`, `success` or `error`. */
  status: z.string(),
  progress: z.number(),
  resources: z.array(z.object({ id: z.number(), type: z.string() })).nullish(),
  error: z.object({ code: z.string(), message: z.string() }).nullish(),
})

/** Something that Hetzner does in its own time. */
export type ApiAction = z.infer<typeof actionSchema>

/** Ids in one request: as many as hcloud-go asks for. */
export const actionsPerRequest = 25

/** The actions with these ids, at most 25; those that Hetzner does not know are missing. */
export async function getActions(
  caller: HetznerCaller,
  ids: readonly number[],
): Promise<ApiAction[]> {
  return caller.list({
    path: '/actions',
    member: 'actions',
    item: actionSchema,
    query: { id: ids },
    operation: 'read actions',
  })
}
