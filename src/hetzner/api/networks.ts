import { z } from 'zod'
import type { ApiAction } from './actions.ts'
import { actionAnswer, deleteAnswer, labelsSchema, protectionSchema } from './answers.ts'
import type { HetznerCaller } from './hetzner-caller.ts'

const networkSchema = z.object({
  id: z.number(),
  name: z.string(),
  ip_range: z.string(),
  subnets: z.array(
    z.object({ type: z.string(), ip_range: z.string().nullish(), network_zone: z.string() }),
  ),
  routes: z.array(z.object({ destination: z.string(), gateway: z.string() })).nullish(),
  servers: z.array(z.number()).nullish(),
  load_balancers: z.array(z.number()).nullish(),
  protection: protectionSchema,
  labels: labelsSchema,
})
export type ApiNetwork = z.infer<typeof networkSchema>

export interface ApiSubnet {
  readonly type: 'cloud'
  readonly ip_range: string
  readonly network_zone: string
}

const answer = z.object({ network: networkSchema }).transform(({ network }) => network)

export interface Networks {
  list(query?: { readonly name?: string; readonly label_selector?: string }): Promise<ApiNetwork[]>
  get(id: number): Promise<ApiNetwork>
  create(body: {
    readonly name: string
    readonly ip_range: string
    readonly subnets: readonly ApiSubnet[]
    readonly labels: Readonly<Record<string, string>>
  }): Promise<ApiNetwork>
  /** Replaces the whole map. */
  setLabels(id: number, labels: Readonly<Record<string, string>>): Promise<ApiNetwork>
  rename(id: number, name: string): Promise<ApiNetwork>
  /** Not repeated after a lost answer: read the network again first. */
  addSubnet(id: number, subnet: ApiSubnet): Promise<ApiAction>
  /** May only grow, from the same start. */
  changeIpRange(id: number, ip_range: string): Promise<ApiAction>
  /** Detaches everything that is in it by itself. */
  delete(id: number): Promise<void>
}

export function createNetworks(caller: HetznerCaller): Networks {
  return {
    list: (query = {}) =>
      caller.list({
        path: '/networks',
        member: 'networks',
        item: networkSchema,
        query: { ...query },
        operation: 'list networks',
      }),
    get: (id) =>
      caller.request({
        method: 'GET',
        path: `/networks/${id}`,
        schema: answer,
        operation: 'read network',
      }),
    create: (body) =>
      caller.request({
        method: 'POST',
        path: '/networks',
        body: { ...body, subnets: body.subnets.map((subnet) => ({ ...subnet })) },
        schema: answer,
        repeat: 'once',
        operation: 'create network',
        target: body.name,
      }),
    setLabels: (id, labels) =>
      caller.request({
        method: 'PUT',
        path: `/networks/${id}`,
        body: { labels },
        schema: answer,
        operation: 'label network',
      }),
    rename: (id, name) =>
      caller.request({
        method: 'PUT',
        path: `/networks/${id}`,
        body: { name },
        schema: answer,
        operation: 'rename network',
      }),
    addSubnet: async (id, subnet) => {
      const { action } = await caller.request({
        method: 'POST',
        path: `/networks/${id}/actions/add_subnet`,
        body: { ...subnet },
        schema: actionAnswer,
        repeat: 'once',
        operation: 'add subnet',
        target: subnet.ip_range,
      })
      return action
    },
    changeIpRange: async (id, ip_range) => {
      const { action } = await caller.request({
        method: 'POST',
        path: `/networks/${id}/actions/change_ip_range`,
        body: { ip_range },
        schema: actionAnswer,
        operation: 'grow network',
        target: ip_range,
      })
      return action
    },
    delete: async (id) => {
      await caller.request({
        method: 'DELETE',
        path: `/networks/${id}`,
        schema: deleteAnswer,
        operation: 'delete network',
      })
    },
  }
}
