import { ClusterError, isClusterError } from '../../../lib/cluster-error.ts'
import { alternatives, otherLocations } from '../../alternatives.ts'
import type { HetznerApplyContext } from '../../apply/apply-context.ts'
import { findServerType } from '../../catalogue.ts'

/** Where Hetzner had no room, says for what and where, and what may be had instead; else the error itself. */
export function capacityError(
  error: unknown,
  { name, type, location }: { name: string; type: string; location: string },
  { catalogue, client }: Pick<HetznerApplyContext, 'catalogue' | 'client'>,
): unknown {
  if (!isClusterError(error, 'hetzner-unavailable')) return error
  const known = findServerType(catalogue, type)
  const now = client.clock.now()
  const places = known ? otherLocations(catalogue, known, location, now) : []
  const types = known ? alternatives(catalogue, known, location, now).slice(0, 3) : []
  const ways = [
    ...(places.length > 0 ? [`${type} in ${places.join(' or ')}`] : []),
    ...(types.length > 0 ? [`${types.join(' or ')} in ${location}`] : []),
  ]
  return new ClusterError(
    'hetzner-unavailable',
    `Hetzner has no room for a ${type} in ${location} now: ${error.message}`,
    {
      operation: 'create server',
      target: name,
      hint:
        ways.length > 0
          ? `Run again later, or take ${ways.join(', or ')}.`
          : 'Run again later, or choose another type or location.',
      cause: error,
    },
  )
}
