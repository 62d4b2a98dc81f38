import { z } from 'zod'
import { answerAction } from '../actions/answer-action.ts'
import { ApiError, invalidFields, isProtected } from '../api/api-error.ts'
import * as fields from '../api/fields.ts'
import { findRecord } from '../api/find-record.ts'
import { isAsked, list, listQuery } from '../api/list.ts'
import { type Call, get, post, put, type Route, remove } from '../api/route.ts'
import { formatTime } from '../labels.ts'
import type { ImageRecord } from './image.ts'

const query = [...listQuery, 'type', 'status', 'bound_to', 'include_deprecated', 'architecture']

export const imageRoutes: Route[] = [
  get('/images', query, (call) => {
    const deprecatedToo = call.query.get('include_deprecated') === 'true'
    const images = [...call.state.images.values()].filter(
      (image) =>
        isAsked(call, 'type', image.type) &&
        isAsked(call, 'status', image.status) &&
        isAsked(call, 'architecture', image.architecture) &&
        isAsked(call, 'bound_to', String(image.boundTo)) &&
        (deprecatedToo || image.deprecated === null),
    )
    return list(call, 'images', images, renderImage)
  }),
  get('/images/{id}', [], (call) => ({
    status: 200,
    body: { image: renderImage(findImage(call)) },
  })),
  put(
    '/images/{id}',
    z.strictObject({
      description: z.string().nullish(),
      type: z.literal('snapshot').optional(),
      labels: fields.labels.optional(),
    }),
    (call, body) => {
      const image = findOwnImage(call)
      if (body.type !== undefined && image.type !== 'backup') throw invalidFields(['type'])
      image.type = body.type ?? image.type
      image.description = body.description ?? image.description
      image.labels = body.labels ?? image.labels
      return { status: 200, body: { image: renderImage(image) } }
    },
  ),
  remove('/images/{id}', (call) => {
    const image = findOwnImage(call)
    if (image.deleteProtected) throw isProtected('snapshot deletion is protected')
    call.state.images.delete(image.id)
    return { status: 204 }
  }),
  post('/images/{id}/actions/change_protection', fields.protection, (call, body) => {
    const image = findOwnImage(call)
    image.deleteProtected = body.delete ?? image.deleteProtected
    return answerAction(call, {
      command: 'change_protection',
      resources: [{ id: image.id, type: 'image' }],
    })
  }),
]

export function renderImage(image: ImageRecord): Record<string, unknown> {
  const deprecated = image.deprecated === null ? null : formatTime(image.deprecated)
  return {
    id: image.id,
    type: image.type,
    status: image.status,
    name: image.name,
    description: image.description,
    image_size: image.imageSize,
    disk_size: image.diskSize,
    created: formatTime(image.created),
    created_from: image.createdFrom,
    bound_to: image.boundTo,
    os_flavor: image.osFlavor,
    os_version: image.osVersion,
    rapid_deploy: image.type === 'system',
    protection: { delete: image.deleteProtected },
    deprecated,
    deprecation: null,
    deleted: null,
    labels: image.labels,
    architecture: image.architecture,
  }
}

function findImage(call: Call): ImageRecord {
  return findRecord(call.state.images, call.id, 'image')
}

/** System images belong to Hetzner. */
function findOwnImage(call: Call): ImageRecord {
  const image = findImage(call)
  if (image.type === 'system') {
    throw new ApiError(403, 'forbidden', 'system images cannot be changed')
  }
  return image
}
