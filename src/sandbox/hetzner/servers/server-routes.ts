import { z } from 'zod'
import { actionsOf } from '../actions/action-routes.ts'
import { ensureUnlocked, renderAction, startAction } from '../actions/run-action.ts'
import { isProtected } from '../api/api-error.ts'
import * as fields from '../api/fields.ts'
import { ensureNameFree } from '../api/find-record.ts'
import { isAsked, list, listQuery } from '../api/list.ts'
import { get, put, type Route, remove } from '../api/route.ts'
import { createServerRoute } from './create-server.ts'
import { deleteServer } from './delete-server.ts'
import { powerRoutes } from './power-routes.ts'
import { renderServer, serverStatus } from './render-server.ts'
import { exclusiveAction, findServer } from './server-action.ts'
import { serverDiskRoutes } from './server-disk-routes.ts'
import { serverNetworkRoutes } from './server-network-routes.ts'
import { serverOtherRoutes } from './server-other-routes.ts'
import { synchronizeMachine } from './synchronize-machine.ts'

export const serverRoutes: Route[] = [
  get('/servers', [...listQuery, 'status'], (call) => {
    const servers = [...call.state.servers.values()].filter((server) =>
      isAsked(call, 'status', serverStatus(call.world, server)),
    )
    return list(call, 'servers', servers, (server) => renderServer(call.world, server))
  }),
  get('/servers/{id}', [], (call) => ({
    status: 200,
    body: { server: renderServer(call.world, findServer(call)) },
  })),
  createServerRoute,
  put(
    '/servers/{id}',
    z.strictObject({ name: fields.hostName.optional(), labels: fields.labels.optional() }),
    (call, body) => {
      const server = findServer(call)
      ensureNameFree(call.state.servers, body.name, server.id, 'server name is already used')
      server.name = body.name ?? server.name
      if (body.labels !== undefined) {
        server.previousLabels = server.labels
        server.labels = body.labels
        server.labelsChangedAt = call.state.now()
      }
      synchronizeMachine(call.world, server)
      return { status: 200, body: { server: renderServer(call.world, server) } }
    },
  ),
  remove('/servers/{id}', (call) => {
    const server = findServer(call)
    if (server.deleteProtected) throw isProtected('server deletion is protected')
    ensureUnlocked(server)
    const action = startAction(
      call.world,
      exclusiveAction(server, {
        command: 'delete_server',
        latency: 'delete-server',
        transition: 'deleting',
        run: () => deleteServer(call.world, server),
      }),
    )
    return { status: 200, body: { action: renderAction(call.world, action) } }
  }),
  actionsOf('servers', 'server', (call) => call.state.servers),
  ...powerRoutes,
  ...serverDiskRoutes,
  ...serverNetworkRoutes,
  ...serverOtherRoutes,
]
