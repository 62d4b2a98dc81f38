import { z } from 'zod'
import { answerAction, renderActions } from '../actions/answer-action.ts'
import { ensureUnlocked, startActions } from '../actions/run-action.ts'
import { invalidFields, invalidInput, isProtected, refused } from '../api/api-error.ts'
import * as fields from '../api/fields.ts'
import { ensureNameFree, findRecord } from '../api/find-record.ts'
import { isAsked, list, listQuery } from '../api/list.ts'
import { type Call, get, post, put, type Route, remove } from '../api/route.ts'
import { findLocation, locationNamed } from '../catalogue/locations.ts'
import { formatTime } from '../labels.ts'
import type { ServerRecord } from '../servers/server.ts'
import { attachVolume } from './attach-volume.ts'
import type { VolumeRecord } from './volume.ts'

const volumeName = z
  .string()
  .max(64)
  .regex(/^[a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?$/)
const volumeSize = z.int().min(10).max(10_240)

export const volumeRoutes: Route[] = [
  get('/volumes', [...listQuery, 'status'], (call) => {
    const volumes = [...call.state.volumes.values()].filter((volume) =>
      isAsked(call, 'status', volume.status),
    )
    return list(call, 'volumes', volumes, render)
  }),
  get('/volumes/{id}', [], (call) => ({ status: 200, body: { volume: render(findVolume(call)) } })),
  post(
    '/volumes',
    z.strictObject({
      name: volumeName,
      size: volumeSize,
      location: fields.idOrName.optional(),
      server: fields.id.optional(),
      automount: z.boolean().optional(),
      format: z.enum(['ext4', 'xfs']).nullish(),
      labels: fields.labels.optional(),
    }),
    (call, body) => {
      const { state } = call
      const server =
        body.server === undefined ? undefined : findRecord(state.servers, body.server, 'server')
      const location = server?.location ?? findLocation(body.location ?? '')?.name
      if (location === undefined) throw invalidFields(['location'])
      ensureNameFree(state.volumes, body.name)
      const volume: VolumeRecord = {
        id: state.nextId(),
        name: body.name,
        labels: body.labels ?? {},
        created: state.now(),
        status: 'creating',
        server: null,
        location,
        size: body.size,
        format: body.format ?? null,
        deleteProtected: false,
      }
      state.volumes.set(volume.id, volume)
      const creation = {
        command: 'create_volume',
        resources: [resource(volume)],
        latency: 'volume',
        run: () => {
          volume.status = 'available'
        },
        fail: () => void state.volumes.delete(volume.id),
      } as const
      const plans = server ? [creation, attachVolume(state, volume, server.id)] : [creation]
      const [action, ...next_actions] = renderActions(call, startActions(call.world, plans))
      return { status: 201, body: { volume: render(volume), action, next_actions } }
    },
  ),
  put(
    '/volumes/{id}',
    z.strictObject({ name: volumeName.optional(), labels: fields.labels.optional() }),
    (call, body) => {
      const volume = findVolume(call)
      ensureNameFree(call.state.volumes, body.name, volume.id)
      volume.name = body.name ?? volume.name
      volume.labels = body.labels ?? volume.labels
      return { status: 200, body: { volume: render(volume) } }
    },
  ),
  remove('/volumes/{id}', (call) => {
    const volume = findVolume(call)
    if (volume.deleteProtected) throw isProtected('volume deletion is protected')
    if (volume.server !== null) {
      throw refused('resource_in_use', `volume with ID ${volume.id} is attached to a server`)
    }
    call.state.volumes.delete(volume.id)
    return { status: 204 }
  }),
  post(
    '/volumes/{id}/actions/attach',
    z.strictObject({ server: fields.id, automount: z.boolean().optional() }),
    (call, body) => {
      const volume = findVolume(call)
      const server = findRecord(call.state.servers, body.server, 'server')
      ensureAttachable(volume, server)
      return answerAction(call, attachVolume(call.state, volume, server.id))
    },
  ),
  post('/volumes/{id}/actions/detach', fields.nothing, (call) => {
    const volume = findVolume(call)
    if (volume.server === null) throw invalidInput('volume is not attached')
    const run = () => {
      volume.server = null
    }
    const resources = [{ id: volume.server, type: 'server' }, resource(volume)]
    return answerAction(call, { command: 'detach_volume', resources, latency: 'volume', run })
  }),
  post('/volumes/{id}/actions/resize', z.strictObject({ size: volumeSize }), (call, body) => {
    const volume = findVolume(call)
    if (body.size <= volume.size) throw invalidFields(['size'])
    const run = () => {
      volume.size = body.size
    }
    const resources = [resource(volume)]
    return answerAction(call, { command: 'resize_volume', resources, latency: 'volume', run })
  }),
  post('/volumes/{id}/actions/change_protection', fields.protection, (call, body) => {
    const volume = findVolume(call)
    volume.deleteProtected = body.delete ?? volume.deleteProtected
    return answerAction(call, { command: 'change_protection', resources: [resource(volume)] })
  }),
]

function ensureAttachable(volume: VolumeRecord, server: ServerRecord): void {
  ensureUnlocked(server)
  if (volume.server !== null) throw invalidInput('volume is already attached to a server')
  if (volume.location !== server.location) {
    throw invalidInput('volume and server are in different locations')
  }
}

function findVolume(call: Call): VolumeRecord {
  return findRecord(call.state.volumes, call.id, 'volume')
}

function resource(volume: VolumeRecord) {
  return { id: volume.id, type: 'volume' }
}

function render(volume: VolumeRecord): Record<string, unknown> {
  return {
    id: volume.id,
    name: volume.name,
    status: volume.status,
    server: volume.server,
    location: locationNamed(volume.location),
    size: volume.size,
    format: volume.format,
    linux_device: `/dev/disk/by-id/scsi-0HC_Volume_${volume.id}`,
    protection: { delete: volume.deleteProtected },
    labels: volume.labels,
    created: formatTime(volume.created),
  }
}
