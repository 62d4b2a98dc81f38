import { formatPath } from '../../lib/finding.ts'
import type { Architecture } from '../cluster-spec.ts'
import { nearestName } from '../nearest-name.ts'
import type { PoolInFile } from '../pools-in-file.ts'
import { quoteValue } from '../quote-value.ts'
import { networkZoneOf } from '../tables/locations.ts'
import {
  findServerType,
  orderability,
  type ServerType,
  type ServerTypeCatalogue,
} from '../tables/server-types.ts'
import type { CheckContext, CheckFinding } from './spec-check.ts'

/**
 * Whether the server types exist, have the pool's architecture, and can be ordered where the pool
 * stands. The last is a warning only: nodes that run already may stay, and the plan refuses to make new
 * ones.
 */
export function checkServerTypes({ file, pools, catalogue }: CheckContext): CheckFinding[] {
  return pools.flatMap((pool) => {
    const type = findServerType(pool.pool.type, catalogue)
    if (type === undefined) return [unknownType(pool, catalogue)]
    const { arch = type.architecture, locations = [file.hetzner.region] } = pool.pool
    if (arch !== type.architecture) {
      return [wrongArchitecture(pool, type, { arch, location: locations[0] ?? '' }, catalogue)]
    }
    const home = networkZoneOf(file.hetzner.region)
    return [...new Set(locations)]
      .filter((location) => home !== undefined && networkZoneOf(location) === home)
      .flatMap((location) => checkOrderable(pool, type, location, catalogue))
  })
}

function unknownType({ pool, path }: PoolInFile, catalogue: ServerTypeCatalogue): CheckFinding {
  const near = nearestName(
    pool.type,
    catalogue.types.map(({ name }) => name),
  )
  return {
    severity: 'error',
    path: [...path, 'type'],
    message: `${formatPath(path)}.type is ${quoteValue(pool.type)}, which is no server type of Hetzner`,
    hint:
      near === undefined
        ? 'Choose a server type such as cx33, cpx32, ccx23 or cax21.'
        : `Did you mean ${near}?`,
  }
}

function wrongArchitecture(
  { path }: PoolInFile,
  type: ServerType,
  { arch, location }: { arch: Architecture; location: string },
  catalogue: ServerTypeCatalogue,
): CheckFinding {
  const verdict = orderability(type.name, location, arch, catalogue)
  const other = verdict.orderable ? undefined : verdict.instead
  return {
    severity: 'error',
    path: [...path, 'arch'],
    message: `${formatPath(path)}.arch is ${arch}, but servers of type ${type.name} are ${type.architecture}`,
    hint: other
      ? `Write ${type.architecture}, or take the type ${other}.`
      : `Write ${type.architecture}, or take another type.`,
    involves: [
      ['hetzner', 'region'],
      [...path, 'locations'],
      [...path, 'type'],
    ],
  }
}

function checkOrderable(
  { path }: PoolInFile,
  type: ServerType,
  location: string,
  catalogue: ServerTypeCatalogue,
): CheckFinding[] {
  const verdict = orderability(type.name, location, type.architecture, catalogue)
  if (verdict.orderable) return []
  const instead = verdict.instead && findServerType(verdict.instead, catalogue)
  return [
    {
      severity: 'warning',
      path: [...path, 'type'],
      message: `${formatPath(path)}.type: ${type.name} ${verdict.reason}; no new node can be made of it there`,
      hint: instead
        ? `Take ${instead.name} instead (${describeType(instead)}; ${type.name} has ${describeType(type)}).`
        : 'Take a type and a location that go together.',
      involves: [
        ['hetzner', 'region'],
        [...path, 'locations'],
        [...path, 'arch'],
      ],
    },
  ]
}

function describeType({ cores, memoryGb, diskGb }: ServerType): string {
  return `${cores} ${cores === 1 ? 'core' : 'cores'}, ${memoryGb} GB of memory, ${diskGb} GB of disk`
}
