import { z } from 'zod'
import { renderAction, startAction } from '../actions/run-action.ts'
import { invalidFields, isProtected } from '../api/api-error.ts'
import * as fields from '../api/fields.ts'
import { type Call, post, type Route } from '../api/route.ts'
import { serverTypeNamed } from '../catalogue/server-types.ts'
import type { ImageRecord } from '../images/image.ts'
import { renderImage } from '../images/image-routes.ts'
import { resolveImage } from './resolve-image.ts'
import { rootPassword } from './root-password.ts'
import type { ServerRecord } from './server.ts'
import { answerExclusive, exclusiveAction, findFreeServer } from './server-action.ts'
import { userData } from './user-data.ts'

/** The rescue system is forgotten when it was not booted for this long. */
const rescueForMs = 60 * 60_000

/** What concerns a server's disk, and what is booted instead of it. */
export const serverDiskRoutes: Route[] = [
  post(
    '/servers/{id}/actions/enable_rescue',
    z.strictObject({
      type: z.literal('linux64').optional(),
      ssh_keys: z.array(fields.id).optional(),
    }),
    (call, body) => {
      const server = findFreeServer(call)
      const keys = (body.ssh_keys ?? []).map((id) => {
        const key = call.state.sshKeys.get(id)
        if (key === undefined) throw invalidFields(['ssh_keys'])
        return key.publicKey
      })
      const run = () => {
        const machine = call.world.machines.get(server.id)
        if (machine === undefined) return
        machine.armedRescue = { keys, expiresAt: call.world.clock.now() + rescueForMs }
      }
      const plan = { command: 'enable_rescue', latency: 'enable-rescue', run } as const
      const root_password = keys.length > 0 ? null : rootPassword(call.world)
      return answerExclusive(call, server, plan, { root_password })
    },
  ),
  post('/servers/{id}/actions/disable_rescue', fields.nothing, (call) => {
    const server = findFreeServer(call)
    const run = () => {
      const machine = call.world.machines.get(server.id)
      if (machine !== undefined) machine.armedRescue = undefined
    }
    return answerExclusive(call, server, { command: 'disable_rescue', latency: 'change', run })
  }),
  post(
    '/servers/{id}/actions/create_image',
    z.strictObject({
      type: z.enum(['snapshot', 'backup']).optional(),
      description: z.string().nullish(),
      labels: fields.labels.optional(),
    }),
    (call, body) => {
      const server = findFreeServer(call)
      if (body.type === 'backup' && server.backupWindow === null) throw invalidFields(['type'])
      const image = openImage(call, server, body)
      const action = startAction(
        call.world,
        exclusiveAction(server, {
          command: 'create_image',
          latency: 'create-image',
          besides: [{ id: image.id, type: 'image' }],
          run: () => {
            image.content = call.world.machine(server.id)?.disk.image ?? image.content
            image.imageSize = 2.3
            image.status = 'available'
          },
          fail: () => void call.state.images.delete(image.id),
        }),
      )
      const body201 = { image: renderImage(image), action: renderAction(call.world, action) }
      return { status: 201, body: body201 }
    },
  ),
  post(
    '/servers/{id}/actions/rebuild',
    z.strictObject({ image: fields.idOrName, user_data: userData.optional() }),
    (call, body) => {
      const server = findFreeServer(call)
      if (server.rebuildProtected) throw isProtected('server rebuild is protected')
      const image = resolveImage(call.state, body.image, serverTypeNamed(server.type))
      const plan = {
        command: 'rebuild_server',
        latency: 'create-server',
        transition: 'rebuilding',
        run: () => rebuild(call, server, image, body.user_data),
      } as const
      return answerExclusive(call, server, plan, { root_password: rootPassword(call.world) })
    },
  ),
]

async function rebuild(
  call: Call,
  server: ServerRecord,
  image: ImageRecord,
  newUserData: string | undefined,
): Promise<void> {
  const machine = call.world.machines.get(server.id)
  server.image = image.id
  if (machine === undefined) return
  await machine.powerOff()
  machine.disk.image = image.content
  machine.disk.state.clear()
  machine.userData = newUserData ?? machine.userData
  await machine.powerOn()
}

/** A snapshot shows up at once, and gets its content when its action is done. */
function openImage(
  { state }: Call,
  server: ServerRecord,
  body: {
    readonly type?: 'snapshot' | 'backup' | undefined
    readonly description?: string | null | undefined
    readonly labels?: Record<string, string> | undefined
  },
): ImageRecord {
  const from = server.image === null ? undefined : state.images.get(server.image)
  const type = body.type ?? 'snapshot'
  const image: ImageRecord = {
    id: state.nextId(),
    type,
    status: 'creating',
    name: null,
    description: body.description ?? `${type} ${server.name}`,
    labels: body.labels ?? {},
    created: state.now(),
    imageSize: null,
    diskSize: server.primaryDiskSize,
    createdFrom: { id: server.id, name: server.name },
    boundTo: type === 'backup' ? server.id : null,
    osFlavor: from?.osFlavor ?? 'unknown',
    osVersion: from?.osVersion ?? null,
    architecture: serverTypeNamed(server.type).architecture,
    deprecated: null,
    deleteProtected: false,
    content: { kind: 'garbage' },
  }
  state.images.set(image.id, image)
  return image
}
