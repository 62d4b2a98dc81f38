import { ApiError, notFound } from '../api/api-error.ts'
import { isAsked, sortBy } from '../api/list.ts'
import { paginate } from '../api/paginate.ts'
import { type Answer, type Call, get, type Route } from '../api/route.ts'
import type { ActionRecord } from './action.ts'
import { renderAction } from './run-action.ts'

const query = ['id', 'status', 'sort', 'page', 'per_page']

/** Actions by id, of every resource: the routes that a waiter uses. */
export const actionRoutes: Route[] = [
  get('/actions', query, (call) => {
    const ids = new Set(call.query.getAll('id').map(Number))
    if (ids.size === 0) {
      throw new ApiError(410, 'deprecated_api_endpoint', 'API functionality was removed', {
        announcement:
          'https://docs.hetzner.cloud/changelog#2025-01-30-listing-arbitrary-actions-in-the-actions-list-endpoint-is-deprecated',
      })
    }
    return listActions(call, (action) => ids.has(action.id))
  }),
  get('/actions/{id}', [], (call) => oneAction(call, call.id)),
]

/** The actions of one resource of a kind (`servers`, of type `server`). Of other kinds nobody asks that. */
export function actionsOf(
  plural: string,
  type: string,
  records: (call: Call) => ReadonlyMap<number, unknown>,
): Route {
  return get(`/${plural}/{id}/actions`, query, (call) => {
    if (!records(call).has(call.id)) throw notFound(type.replaceAll('_', ' '), call.id)
    return listActions(call, (action) =>
      action.resources.some((resource) => resource.type === type && resource.id === call.id),
    )
  })
}

function listActions(call: Call, isWanted: (action: ActionRecord) => boolean): Answer {
  const wanted = [...call.state.actions.values()].filter(
    (action) => isWanted(action) && isAsked(call, 'status', action.status),
  )
  const sorted = sortBy(call, wanted, {
    id: (a, b) => a.id - b.id,
    command: (a, b) => a.command.localeCompare(b.command),
    status: (a, b) => a.status.localeCompare(b.status),
    started: (a, b) => a.started - b.started,
    finished: (a, b) => (a.finished ?? 0) - (b.finished ?? 0),
    progress: (a, b) => a.started - b.started,
  })
  return paginate(
    call,
    'actions',
    sorted.map((action) => renderAction(call.world, action)),
  )
}

function oneAction(call: Call, id: number): Answer {
  const action = call.state.actions.get(id)
  if (action === undefined) throw notFound('action', id)
  return { status: 200, body: { action: renderAction(call.world, action) } }
}
