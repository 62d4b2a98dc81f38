import { z } from 'zod'
import type { Json } from '../../lib/json.ts'
import { type ApiAction, actionSchema } from './actions.ts'
import { actionAnswer, deleteAnswer, labelsSchema, protectionSchema } from './answers.ts'
import type { HetznerCaller } from './hetzner-caller.ts'

const serverSchema = z.object({
  id: z.number(),
  name: z.string(),
  /** `initializing`, `off`, `starting`, `running`, `stopping`, `deleting`, … and what may come. */
  status: z.string(),
  created: z.string(),
  public_net: z.object({
    ipv4: z.object({ ip: z.string(), dns_ptr: z.string().nullish() }).nullish(),
    ipv6: z.object({ ip: z.string() }).nullish(),
    firewalls: z.array(z.object({ id: z.number(), status: z.string() })).nullish(),
  }),
  private_net: z.array(
    z.object({ network: z.number(), ip: z.string(), alias_ips: z.array(z.string()).nullish() }),
  ),
  server_type: z.object({ name: z.string(), architecture: z.string() }),
  location: z.object({ name: z.string() }),
  image: z.object({ id: z.number() }).nullish(),
  rescue_enabled: z.boolean().nullish(),
  locked: z.boolean().nullish(),
  /** Set where backups are on. */
  backup_window: z.string().nullish(),
  protection: protectionSchema,
  labels: labelsSchema,
  volumes: z.array(z.number()).nullish(),
  placement_group: z.object({ id: z.number(), name: z.string() }).nullish(),
})
export type ApiServer = z.infer<typeof serverSchema>

export interface CreateServerBody {
  readonly name: string
  readonly server_type: string
  readonly image: string | number
  readonly location: string
  readonly start_after_create: boolean
  readonly placement_group?: number
  /** Names or ids; without any, Hetzner makes a root password and mails it. */
  readonly ssh_keys: readonly (string | number)[]
  readonly networks?: readonly number[]
  readonly firewalls?: readonly { readonly firewall: number }[]
  readonly labels: Readonly<Record<string, string>>
  readonly public_net?: { readonly enable_ipv4: boolean; readonly enable_ipv6: boolean }
}

const createAnswer = z
  .object({
    server: serverSchema,
    action: actionSchema,
    next_actions: z.array(actionSchema).nullish(),
  })
  .transform(({ server, action, next_actions }) => ({
    resource: server,
    actions: [action, ...(next_actions ?? [])],
  }))
const answer = z.object({ server: serverSchema }).transform(({ server }) => server)
const imageAnswer = z
  .object({ image: z.object({ id: z.number() }), action: actionSchema })
  .transform(({ image, action }) => ({ imageId: image.id, action }))

export interface Servers {
  list(query?: { readonly name?: string; readonly label_selector?: string }): Promise<ApiServer[]>
  /** How many the project has, whoever owns them; undefined where Hetzner does not say. */
  count(): Promise<number | undefined>
  get(id: number): Promise<ApiServer>
  create(body: CreateServerBody): Promise<{ resource: ApiServer; actions: ApiAction[] }>
  /** Replaces the whole map. */
  setLabels(id: number, labels: Readonly<Record<string, string>>): Promise<ApiServer>
  rename(id: number, name: string): Promise<ApiServer>
  attachToNetwork(id: number, network: number, ip: string): Promise<ApiAction>
  detachFromNetwork(id: number, network: number): Promise<ApiAction>
  addToPlacementGroup(id: number, placementGroup: number): Promise<ApiAction>
  removeFromPlacementGroup(id: number): Promise<ApiAction>
  powerOn(id: number): Promise<ApiAction>
  /** Cuts the power. */
  powerOff(id: number): Promise<ApiAction>
  /** Cuts the power and switches it on again. */
  reset(id: number): Promise<ApiAction>
  /** Asks the system to stop; the action's success says only that it was asked. */
  shutdown(id: number): Promise<ApiAction>
  /** The next boot, within the hour, is the rescue system. Takes ids of keys, not names. */
  enableRescue(id: number, sshKeys: readonly number[]): Promise<ApiAction>
  /** Makes a snapshot. Not repeated after a lost answer: look for the image first. */
  createImage(
    id: number,
    body: { readonly description: string; readonly labels: Readonly<Record<string, string>> },
  ): Promise<{ imageId: number; action: ApiAction }>
  delete(id: number): Promise<ApiAction[]>
}

export function createServers(caller: HetznerCaller): Servers {
  const act = async (id: number, name: string, body: { readonly [key: string]: Json } = {}) => {
    const { action } = await caller.request({
      method: 'POST',
      path: `/servers/${id}/actions/${name}`,
      ...(Object.keys(body).length === 0 ? {} : { body }),
      schema: actionAnswer,
      operation: `${name.replaceAll('_', ' ')} of server`,
    })
    return action
  }
  return {
    ...createServerReads(caller),
    create: (body) =>
      caller.request({
        method: 'POST',
        path: '/servers',
        body: toCreateBody(body),
        schema: createAnswer,
        repeat: 'once',
        operation: 'create server',
        target: body.name,
      }),
    setLabels: (id, labels) =>
      caller.request({
        method: 'PUT',
        path: `/servers/${id}`,
        body: { labels },
        schema: answer,
        operation: 'label server',
      }),
    rename: (id, name) =>
      caller.request({
        method: 'PUT',
        path: `/servers/${id}`,
        body: { name },
        schema: answer,
        operation: 'rename server',
      }),
    attachToNetwork: (id, network, ip) => act(id, 'attach_to_network', { network, ip }),
    detachFromNetwork: (id, network) => act(id, 'detach_from_network', { network }),
    addToPlacementGroup: (id, placement_group) =>
      act(id, 'add_to_placement_group', { placement_group }),
    removeFromPlacementGroup: (id) => act(id, 'remove_from_placement_group'),
    powerOn: (id) => act(id, 'poweron'),
    powerOff: (id) => act(id, 'poweroff'),
    reset: (id) => act(id, 'reset'),
    shutdown: (id) => act(id, 'shutdown'),
    enableRescue: (id, ssh_keys) => act(id, 'enable_rescue', { type: 'linux64', ssh_keys }),
    createImage: (id, { description, labels }) =>
      caller.request({
        method: 'POST',
        path: `/servers/${id}/actions/create_image`,
        body: { type: 'snapshot', description, labels },
        schema: imageAnswer,
        repeat: 'once',
        operation: 'create snapshot',
        target: description,
      }),
    delete: (id) =>
      caller.request({
        method: 'DELETE',
        path: `/servers/${id}`,
        schema: deleteAnswer,
        operation: 'delete server',
      }),
  }
}

function createServerReads(caller: HetznerCaller): Pick<Servers, 'list' | 'count' | 'get'> {
  const list = {
    path: '/servers',
    member: 'servers',
    item: serverSchema,
    operation: 'list servers',
  }
  return {
    list: (query = {}) => caller.list({ ...list, query: { ...query } }),
    count: () => caller.count(list),
    get: (id) =>
      caller.request({
        method: 'GET',
        path: `/servers/${id}`,
        schema: answer,
        operation: 'read server',
      }),
  }
}

function toCreateBody(body: CreateServerBody) {
  const { firewalls, public_net, ...rest } = body
  return {
    ...rest,
    ...(firewalls ? { firewalls: firewalls.map(({ firewall }) => ({ firewall })) } : {}),
    ...(public_net ? { public_net: { ...public_net } } : {}),
  }
}
