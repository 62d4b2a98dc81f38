import { z } from 'zod'
import { answerAction } from '../actions/answer-action.ts'
import { invalidFields, refused } from '../api/api-error.ts'
import * as fields from '../api/fields.ts'
import { findRecord } from '../api/find-record.ts'
import { type Call, post, type Route } from '../api/route.ts'
import { findServerType, isSoldIn, serverTypeNamed } from '../catalogue/server-types.ts'
import { ensureRoomInGroup } from '../placement-groups/placement-group-routes.ts'
import { rootPassword } from './root-password.ts'
import type { ServerRecord } from './server.ts'
import { answerExclusive, findFreeServer, findServer } from './server-action.ts'

export const serverOtherRoutes: Route[] = [
  post(
    '/servers/{id}/actions/change_protection',
    z.strictObject({ delete: z.boolean().optional(), rebuild: z.boolean().optional() }),
    (call, body) => {
      const server = findServer(call)
      const deleteProtected = body.delete ?? server.deleteProtected
      const rebuildProtected = body.rebuild ?? server.rebuildProtected
      // Hetzner demands that the two agree.
      if (deleteProtected !== rebuildProtected) throw invalidFields(['delete', 'rebuild'])
      server.deleteProtected = deleteProtected
      server.rebuildProtected = rebuildProtected
      return answerAction(call, { command: 'change_protection', resources: [resource(server)] })
    },
  ),
  post(
    '/servers/{id}/actions/change_type',
    z.strictObject({ server_type: fields.idOrName, upgrade_disk: z.boolean() }),
    (call, body) => {
      const server = findFreeServer(call)
      const type = findServerType(body.server_type)
      const former = serverTypeNamed(server.type)
      if (type === undefined || type.architecture !== former.architecture) {
        throw refused('invalid_server_type', 'server type does not fit the server')
      }
      if (!isSoldIn(type, server.location) || type.disk < server.primaryDiskSize) {
        throw refused('invalid_server_type', 'server type does not fit the server')
      }
      ensureStopped(call, server)
      const run = () => {
        server.type = type.name
        server.primaryDiskSize = body.upgrade_disk ? type.disk : server.primaryDiskSize
      }
      const plan = { command: 'change_server_type', transition: 'migrating', run } as const
      return answerExclusive(call, server, { ...plan, latency: 'change-type' })
    },
  ),
  post(
    '/servers/{id}/actions/add_to_placement_group',
    z.strictObject({ placement_group: fields.id }),
    (call, body) => {
      const server = findFreeServer(call)
      const group = findRecord(call.state.placementGroups, body.placement_group, 'placement group')
      if (server.placementGroup !== null) {
        throw refused('already_in_placement_group', 'server is already in a placement group')
      }
      ensureStopped(call, server)
      ensureRoomInGroup(call.state, group.id)
      server.placementGroup = group.id
      return answerExclusive(call, server, {
        command: 'add_to_placement_group',
        latency: 'change',
        besides: [{ id: group.id, type: 'placement_group' }],
      })
    },
  ),
  post('/servers/{id}/actions/remove_from_placement_group', fields.nothing, (call) => {
    const server = findFreeServer(call)
    server.placementGroup = null
    return answerExclusive(call, server, {
      command: 'remove_from_placement_group',
      latency: 'change',
    })
  }),
  post('/servers/{id}/actions/reset_password', fields.nothing, (call) => {
    const server = findServer(call)
    const plan = { command: 'reset_password', resources: [resource(server)] }
    return answerAction(call, plan, { root_password: rootPassword(call.world) })
  }),
  post('/servers/{id}/actions/request_console', fields.nothing, (call) => {
    const server = findServer(call)
    const plan = { command: 'request_console', resources: [resource(server)] }
    return answerAction(call, plan, {
      wss_url: `wss://console.sandbox.invalid/?server_id=${server.id}`,
      password: rootPassword(call.world),
    })
  }),
  post(
    '/servers/{id}/actions/enable_backup',
    z.strictObject({ backup_window: z.string().optional() }),
    (call) => {
      const server = findServer(call)
      server.backupWindow = '22-02'
      return answerAction(call, { command: 'enable_backup', resources: [resource(server)] })
    },
  ),
  post('/servers/{id}/actions/disable_backup', fields.nothing, (call) => {
    const server = findServer(call)
    server.backupWindow = null
    return answerAction(call, { command: 'disable_backup', resources: [resource(server)] })
  }),
]

function ensureStopped(call: Call, server: ServerRecord): void {
  if (call.world.machine(server.id)?.power === 'on') {
    throw refused('server_not_stopped', 'server must be powered off')
  }
}

function resource(server: ServerRecord) {
  return { id: server.id, type: 'server' }
}
