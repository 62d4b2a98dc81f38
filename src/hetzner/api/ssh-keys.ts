import { z } from 'zod'
import { deleteAnswer, labelsSchema } from './answers.ts'
import type { HetznerCaller } from './hetzner-caller.ts'

const sshKeySchema = z.object({
  id: z.number(),
  name: z.string(),
  fingerprint: z.string(),
  labels: labelsSchema,
})
export type ApiSshKey = z.infer<typeof sshKeySchema>

const answer = z.object({ ssh_key: sshKeySchema }).transform(({ ssh_key }) => ssh_key)

export interface SshKeys {
  list(query?: { readonly name?: string; readonly label_selector?: string }): Promise<ApiSshKey[]>
  get(id: number): Promise<ApiSshKey>
  create(body: {
    readonly name: string
    readonly public_key: string
    readonly labels: Readonly<Record<string, string>>
  }): Promise<ApiSshKey>
  /** Replaces the whole map. */
  setLabels(id: number, labels: Readonly<Record<string, string>>): Promise<ApiSshKey>
  rename(id: number, name: string): Promise<ApiSshKey>
  delete(id: number): Promise<void>
}

export function createSshKeys(caller: HetznerCaller): SshKeys {
  return {
    list: (query = {}) =>
      caller.list({
        path: '/ssh_keys',
        member: 'ssh_keys',
        item: sshKeySchema,
        query: { ...query },
        operation: 'list SSH keys',
      }),
    get: (id) =>
      caller.request({
        method: 'GET',
        path: `/ssh_keys/${id}`,
        schema: answer,
        operation: 'read SSH key',
      }),
    create: (body) =>
      caller.request({
        method: 'POST',
        path: '/ssh_keys',
        body: { ...body },
        schema: answer,
        repeat: 'once',
        operation: 'create SSH key',
        target: body.name,
      }),
    setLabels: (id, labels) =>
      caller.request({
        method: 'PUT',
        path: `/ssh_keys/${id}`,
        body: { labels },
        schema: answer,
        operation: 'label SSH key',
      }),
    rename: (id, name) =>
      caller.request({
        method: 'PUT',
        path: `/ssh_keys/${id}`,
        body: { name },
        schema: answer,
        operation: 'rename SSH key',
      }),
    delete: async (id) => {
      await caller.request({
        method: 'DELETE',
        path: `/ssh_keys/${id}`,
        schema: deleteAnswer,
        operation: 'delete SSH key',
      })
    },
  }
}
