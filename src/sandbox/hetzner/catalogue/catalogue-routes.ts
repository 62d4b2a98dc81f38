import { ApiError, notFound } from '../api/api-error.ts'
import { sortBy } from '../api/list.ts'
import { paginate } from '../api/paginate.ts'
import { type Call, get, type Route } from '../api/route.ts'
import { loadBalancerTypes, renderLoadBalancerType } from './load-balancer-types.ts'
import { locations } from './locations.ts'
import { renderPricing } from './pricing.ts'
import { renderServerType, serverTypes } from './server-types.ts'

const query = ['name', 'sort', 'page', 'per_page']

/** What Hetzner offers: the same for every project, and only to be read. */
export const catalogueRoutes: Route[] = [
  ...offered('locations', 'location', locations, (location) => ({ ...location })),
  ...offered('server_types', 'server_type', serverTypes, (type, { world }) =>
    renderServerType(type, (location) => world.faults.isSoldOut(type.name, location)),
  ),
  ...offered('load_balancer_types', 'load_balancer_type', loadBalancerTypes, (type) =>
    renderLoadBalancerType(type),
  ),
  get('/pricing', [], () => ({ status: 200, body: { pricing: renderPricing() } })),
  get('/datacenters', query, removed),
  get('/datacenters/{id}', [], removed),
]

function offered<T extends { readonly id: number; readonly name: string }>(
  plural: string,
  singular: string,
  items: readonly T[],
  render: (item: T, call: Call) => Record<string, unknown>,
): Route[] {
  return [
    get(`/${plural}`, query, (call) => {
      const name = call.query.get('name')
      const found = items.filter((item) => name === null || item.name === name)
      const sorted = sortBy(call, found, {
        id: (a, b) => a.id - b.id,
        name: (a, b) => a.name.localeCompare(b.name),
      })
      return paginate(
        call,
        plural,
        sorted.map((item) => render(item, call)),
      )
    }),
    get(`/${plural}/{id}`, [], (call) => {
      const item = items.find(({ id }) => id === call.id)
      if (item === undefined) throw notFound(singular.replaceAll('_', ' '), call.id)
      return { status: 200, body: { [singular]: render(item, call) } }
    }),
  ]
}

/** Gone since 2026-10-01. */
function removed(): never {
  throw new ApiError(410, 'deprecated_api_endpoint', 'API functionality was removed', {
    announcement: 'https://docs.hetzner.cloud/changelog#2026-06-02-datacenters-deprecated',
  })
}
