import { hetznerRoutes } from '../../src/sandbox/hetzner/hetzner-routes.ts'
import { rpcs } from '../../src/sandbox/talos/api/rpcs.ts'
import { routeOf } from './route-of.ts'

/** Every route of the fronts that have a table of theirs, as routeOf writes them. */
export function knownRoutes(): string[] {
  const hetzner = hetznerRoutes.map(({ method, path }) =>
    routeOf({ front: 'hetzner', method, path }),
  )
  const talos = rpcs.map(({ path }) =>
    routeOf({ front: 'talos', method: path.split('/')[2] ?? '', path: '' }),
  )
  return [...hetzner, ...talos]
}
