import { z } from 'zod'
import { limitExceeded, refused } from '../api/api-error.ts'
import * as fields from '../api/fields.ts'
import { ensureNameFree, findRecord } from '../api/find-record.ts'
import { isAsked, list, listQuery } from '../api/list.ts'
import { type Call, get, post, put, type Route, remove } from '../api/route.ts'
import type { HetznerState } from '../hetzner-state.ts'
import { formatTime } from '../labels.ts'
import type { PlacementGroupRecord } from './placement-group.ts'

const maxGroups = 50
const maxServers = 10

export const placementGroupRoutes: Route[] = [
  get('/placement_groups', [...listQuery, 'type'], (call) => {
    const groups = [...call.state.placementGroups.values()]
    const asked = groups.filter((group) => isAsked(call, 'type', group.type))
    return list(call, 'placement_groups', asked, (group) => renderPlacementGroup(call.state, group))
  }),
  get('/placement_groups/{id}', [], (call) => answer(call, findGroup(call), 200)),
  post(
    '/placement_groups',
    z.strictObject({
      name: fields.resourceName,
      type: z.literal('spread'),
      labels: fields.labels.optional(),
    }),
    (call, body) => {
      const { state } = call
      ensureNameFree(state.placementGroups, body.name)
      if (state.placementGroups.size >= maxGroups) {
        throw limitExceeded('placement group', 'placement_group_limit')
      }
      const group: PlacementGroupRecord = {
        id: state.nextId(),
        name: body.name,
        labels: body.labels ?? {},
        created: state.now(),
        type: body.type,
      }
      state.placementGroups.set(group.id, group)
      return answer(call, group, 201)
    },
  ),
  put(
    '/placement_groups/{id}',
    z.strictObject({ name: fields.resourceName.optional(), labels: fields.labels.optional() }),
    (call, body) => {
      const group = findGroup(call)
      ensureNameFree(call.state.placementGroups, body.name, call.id)
      group.name = body.name ?? group.name
      group.labels = body.labels ?? group.labels
      return answer(call, group, 200)
    },
  ),
  remove('/placement_groups/{id}', (call) => {
    const group = findGroup(call)
    if (countServers(call.state, group.id) > 0) {
      throw refused('resource_in_use', `placement group with ID ${group.id} is still in use`)
    }
    call.state.placementGroups.delete(group.id)
    return { status: 204 }
  }),
]

/** 422 where a spread group has its ten servers, those included that Hetzner has not yet forgotten. */
export function ensureRoomInGroup(state: HetznerState, group: number): void {
  if (countServers(state, group) < maxServers) return
  throw refused(
    'placement_group_member_limit_reached',
    `placement group with ID ${group} contains already ${maxServers} servers`,
  )
}

export function renderPlacementGroup(
  state: HetznerState,
  group: PlacementGroupRecord,
): Record<string, unknown> {
  const members = [...state.servers.values()].filter((server) => server.placementGroup === group.id)
  return {
    id: group.id,
    name: group.name,
    labels: group.labels,
    type: group.type,
    created: formatTime(group.created),
    servers: members.map((server) => server.id),
  }
}

function countServers(state: HetznerState, group: number): number {
  const now = state.now()
  const present = [...state.servers.values()].filter((server) => server.placementGroup === group)
  const departed = state.departed.filter(
    (gone) => gone.placementGroup === group && gone.until > now,
  )
  return present.length + departed.length
}

function findGroup(call: Call): PlacementGroupRecord {
  return findRecord(call.state.placementGroups, call.id, 'placement group')
}

function answer(call: Call, group: PlacementGroupRecord, status: number) {
  const body = { placement_group: renderPlacementGroup(call.state, group) }
  return { status, body: status === 201 ? { ...body, action: null } : body }
}
