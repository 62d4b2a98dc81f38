import { z } from 'zod'
import type { Json } from '../../lib/json.ts'
import { type ApiAction, actionSchema } from './actions.ts'
import { actionAnswer, deleteAnswer, labelsSchema, protectionSchema } from './answers.ts'
import type { HetznerCaller } from './hetzner-caller.ts'

const healthCheckSchema = z.object({
  protocol: z.string(),
  port: z.number(),
  interval: z.number(),
  timeout: z.number(),
  retries: z.number(),
  http: z
    .object({
      path: z.string().nullish(),
      status_codes: z.array(z.string()).nullish(),
      tls: z.boolean().nullish(),
    })
    .nullish(),
})

const serviceSchema = z.object({
  protocol: z.string(),
  listen_port: z.number(),
  destination_port: z.number(),
  proxyprotocol: z.boolean().nullish(),
  health_check: healthCheckSchema,
})
export type ApiLoadBalancerService = z.infer<typeof serviceSchema>

const healthSchema = z
  .array(z.object({ listen_port: z.number(), status: z.string(), detail: z.string().nullish() }))
  .nullish()
const serverRef = z.object({ id: z.number() }).nullish()

const targetSchema = z.object({
  type: z.string(),
  server: serverRef,
  label_selector: z.object({ selector: z.string() }).nullish(),
  ip: z.object({ ip: z.string() }).nullish(),
  use_private_ip: z.boolean().nullish(),
  health_status: healthSchema,
  targets: z.array(z.object({ server: serverRef, health_status: healthSchema })).nullish(),
})
export type ApiLoadBalancerTarget = z.infer<typeof targetSchema>

const loadBalancerSchema = z.object({
  id: z.number(),
  name: z.string(),
  created: z.string(),
  public_net: z.object({
    enabled: z.boolean(),
    ipv4: z.object({ ip: z.string().nullish() }).nullish(),
    ipv6: z.object({ ip: z.string().nullish() }).nullish(),
  }),
  private_net: z.array(z.object({ network: z.number(), ip: z.string() })),
  location: z.object({ name: z.string() }),
  load_balancer_type: z.object({ name: z.string() }),
  algorithm: z.object({ type: z.string() }),
  services: z.array(serviceSchema),
  targets: z.array(targetSchema),
  protection: protectionSchema,
  labels: labelsSchema,
})
export type ApiLoadBalancer = z.infer<typeof loadBalancerSchema>

const answer = z
  .object({ load_balancer: loadBalancerSchema })
  .transform(({ load_balancer }) => load_balancer)
const createAnswer = z
  .object({ load_balancer: loadBalancerSchema, action: actionSchema })
  .transform(({ load_balancer, action }) => ({ resource: load_balancer, actions: [action] }))

/** Members of `services` in requests: as in answers, but nothing is null. */
export type LoadBalancerServiceBody = { readonly [key: string]: Json }

interface LabelSelectorTarget {
  readonly selector: string
  readonly usePrivateIp: boolean
}

export interface LoadBalancers {
  list(query?: {
    readonly name?: string
    readonly label_selector?: string
  }): Promise<ApiLoadBalancer[]>
  get(id: number): Promise<ApiLoadBalancer>
  create(body: {
    readonly name: string
    readonly load_balancer_type: string
    readonly location: string
    readonly algorithm: { readonly type: string }
    readonly labels: Readonly<Record<string, string>>
  }): Promise<{ resource: ApiLoadBalancer; actions: ApiAction[] }>
  /** Replaces the whole map. */
  setLabels(id: number, labels: Readonly<Record<string, string>>): Promise<ApiLoadBalancer>
  rename(id: number, name: string): Promise<ApiLoadBalancer>
  attachToNetwork(id: number, network: number, ip: string): Promise<ApiAction>
  addService(id: number, service: LoadBalancerServiceBody): Promise<ApiAction>
  /** Found by its `listen_port`. */
  updateService(id: number, service: LoadBalancerServiceBody): Promise<ApiAction>
  deleteService(id: number, listenPort: number): Promise<ApiAction>
  addSelectorTarget(id: number, target: LabelSelectorTarget): Promise<ApiAction>
  removeTarget(id: number, target: ApiLoadBalancerTarget): Promise<ApiAction>
  changeType(id: number, type: string): Promise<ApiAction>
  changeAlgorithm(id: number, type: string): Promise<ApiAction>
  enablePublicInterface(id: number): Promise<ApiAction>
  /** Allowed only if attached to a network and with private targets alone. */
  disablePublicInterface(id: number): Promise<ApiAction>
  delete(id: number): Promise<ApiAction[]>
}

export function createLoadBalancers(caller: HetznerCaller): LoadBalancers {
  const act = async (id: number, name: string, body: { readonly [key: string]: Json } = {}) => {
    const { action } = await caller.request({
      method: 'POST',
      path: `/load_balancers/${id}/actions/${name}`,
      ...(Object.keys(body).length === 0 ? {} : { body }),
      schema: actionAnswer,
      operation: `${name.replaceAll('_', ' ')} of load balancer`,
    })
    return action
  }
  return {
    list: (query = {}) =>
      caller.list({
        path: '/load_balancers',
        member: 'load_balancers',
        item: loadBalancerSchema,
        query: { ...query },
        operation: 'list load balancers',
      }),
    get: (id) =>
      caller.request({
        method: 'GET',
        path: `/load_balancers/${id}`,
        schema: answer,
        operation: 'read load balancer',
      }),
    create: (body) =>
      caller.request({
        method: 'POST',
        path: '/load_balancers',
        body: { ...body, algorithm: { type: body.algorithm.type } },
        schema: createAnswer,
        repeat: 'once',
        operation: 'create load balancer',
        target: body.name,
      }),
    setLabels: (id, labels) =>
      caller.request({
        method: 'PUT',
        path: `/load_balancers/${id}`,
        body: { labels },
        schema: answer,
        operation: 'label load balancer',
      }),
    rename: (id, name) =>
      caller.request({
        method: 'PUT',
        path: `/load_balancers/${id}`,
        body: { name },
        schema: answer,
        operation: 'rename load balancer',
      }),
    attachToNetwork: (id, network, ip) => act(id, 'attach_to_network', { network, ip }),
    addService: (id, service) => act(id, 'add_service', service),
    updateService: (id, service) => act(id, 'update_service', service),
    deleteService: (id, listen_port) => act(id, 'delete_service', { listen_port }),
    addSelectorTarget: (id, { selector, usePrivateIp }) =>
      act(id, 'add_target', {
        type: 'label_selector',
        label_selector: { selector },
        use_private_ip: usePrivateIp,
      }),
    removeTarget: (id, target) => act(id, 'remove_target', targetReference(target)),
    changeType: (id, load_balancer_type) => act(id, 'change_type', { load_balancer_type }),
    changeAlgorithm: (id, type) => act(id, 'change_algorithm', { type }),
    enablePublicInterface: (id) => act(id, 'enable_public_interface'),
    disablePublicInterface: (id) => act(id, 'disable_public_interface'),
    delete: (id) =>
      caller.request({
        method: 'DELETE',
        path: `/load_balancers/${id}`,
        schema: deleteAnswer,
        operation: 'delete load balancer',
      }),
  }
}

function targetReference({ type, server, label_selector, ip }: ApiLoadBalancerTarget) {
  return {
    type,
    ...(server ? { server: { id: server.id } } : {}),
    ...(label_selector ? { label_selector: { selector: label_selector.selector } } : {}),
    ...(ip ? { ip: { ip: ip.ip } } : {}),
  }
}
