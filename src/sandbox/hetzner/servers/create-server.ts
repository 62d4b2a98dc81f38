import { z } from 'zod'
import { Hardware } from '../../hardware.ts'
import { renderActions } from '../actions/answer-action.ts'
import { type ActionPlan, startActions } from '../actions/run-action.ts'
import * as fields from '../api/fields.ts'
import { type Answer, type Call, post, type Route } from '../api/route.ts'
import { createPrimaryIp } from '../primary-ips/create-primary-ip.ts'
import { attachVolume } from '../volumes/attach-volume.ts'
import { attachment } from './attach-server.ts'
import { deleteServer } from './delete-server.ts'
import { renderServer } from './render-server.ts'
import { rootPassword } from './root-password.ts'
import type { ServerRecord } from './server.ts'
import { exclusiveAction } from './server-action.ts'
import { readOrder, type ServerOrder } from './server-order.ts'
import { synchronizeMachine } from './synchronize-machine.ts'
import { userData } from './user-data.ts'

const createBody = z.strictObject({
  name: fields.hostName,
  server_type: fields.idOrName,
  image: fields.idOrName,
  location: fields.idOrName.optional(),
  start_after_create: z.boolean().optional(),
  placement_group: fields.id.optional(),
  ssh_keys: z.array(fields.idOrName).optional(),
  volumes: z.array(fields.id).optional(),
  automount: z.boolean().optional(),
  networks: z.array(fields.id).optional(),
  firewalls: z.array(z.strictObject({ firewall: fields.id })).optional(),
  user_data: userData.optional(),
  labels: fields.labels.optional(),
  public_net: z
    .strictObject({
      enable_ipv4: z.boolean().optional(),
      enable_ipv6: z.boolean().optional(),
      ipv4: fields.id.nullish(),
      ipv6: fields.id.nullish(),
    })
    .optional(),
})

export type CreateServerBody = z.infer<typeof createBody>

export const createServerRoute: Route = post('/servers', createBody, async (call, body) => {
  const order = readOrder(call, body)
  const server = await build(call, order)
  const plans = planCreation(call, server, order)
  const [action, ...next] = renderActions(call, startActions(call.world, plans))
  const hasKeys = (body.ssh_keys ?? []).length > 0
  const answer: Answer = {
    status: 201,
    body: {
      server: renderServer(call.world, server),
      action,
      next_actions: next,
      root_password: hasKeys ? null : rootPassword(call.world),
    },
  }
  return answer
})

/** The record and its machine, off, with a fresh disk of the image. */
async function build(call: Call, order: ServerOrder): Promise<ServerRecord> {
  const { world, state } = call
  const now = state.now()
  const id = state.nextId()
  const server: ServerRecord = {
    id,
    name: order.name,
    labels: order.labels,
    created: now,
    type: order.type.name,
    location: order.location,
    image: order.image.id,
    transition: 'initializing',
    lockedBy: undefined,
    ipv4: null,
    ipv6: null,
    privateNets: [],
    attaching: [],
    placementGroup: order.placementGroup,
    deleteProtected: false,
    rebuildProtected: false,
    backupWindow: null,
    iso: null,
    primaryDiskSize: order.type.disk,
    previousLabels: undefined,
    labelsChangedAt: now,
  }
  // Before anything is awaited: a second server of this name must find the first one.
  state.servers.set(id, server)
  try {
    server.ipv4 = await primaryIp(call, server, 'ipv4', order)
    server.ipv6 = await primaryIp(call, server, 'ipv6', order)
  } catch (error) {
    await deleteServer(world, server)
    throw error
  }
  const machine = new Hardware(world, {
    serverId: id,
    name: order.name,
    arch: order.type.architecture,
    location: order.location,
    userData: order.userData,
    disk: { image: order.image.content, state: new Map() },
  })
  world.machines.set(id, machine)
  for (const firewall of order.firewalls) {
    firewall.uses.push({ type: 'server', server: id, since: now })
  }
  synchronizeMachine(world, server)
  return server
}

async function primaryIp(
  { world, state }: Call,
  server: ServerRecord,
  type: 'ipv4' | 'ipv6',
  order: ServerOrder,
): Promise<number | null> {
  const wanted = order[type]
  if (wanted === null) return null
  const ip =
    wanted === 'new'
      ? await createPrimaryIp(world, { type, location: server.location, auto_delete: true })
      : state.primaryIps.get(wanted)
  if (ip === undefined) return null
  ip.assignee = server.id
  ip.assigneeType = 'server'
  return ip.id
}

/** Creation itself, then attachments, then the first start. A failed creation takes the server away. */
function planCreation(call: Call, server: ServerRecord, order: ServerOrder): ActionPlan[] {
  const { world, state } = call
  const fromSnapshot = order.image.type !== 'system'
  const creation = exclusiveAction(server, {
    command: 'create_server',
    latency: fromSnapshot ? 'create-server-from-snapshot' : 'create-server',
    transition: 'initializing',
    fail: () => deleteServer(world, server),
  })
  const attachments = order.networks.map((network) =>
    exclusiveAction(server, attachment(world, server, network, {})),
  )
  const volumes = order.volumes.map((volume) => attachVolume(state, volume, server.id))
  const start = exclusiveAction(server, {
    command: 'start_server',
    latency: 'power',
    run: () => world.machines.get(server.id)?.powerOn(),
  })
  return [creation, ...attachments, ...volumes, ...(order.start ? [start] : [])]
}
