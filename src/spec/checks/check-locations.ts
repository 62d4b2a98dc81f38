import { formatPath } from '../../lib/finding.ts'
import { nearestName } from '../nearest-name.ts'
import type { PoolInFile } from '../pools-in-file.ts'
import { quoteValue } from '../quote-value.ts'
import { locationNames, networkZoneOf, networkZones } from '../tables/locations.ts'
import type { Path } from '../yaml/yaml-source.ts'
import type { CheckContext, CheckFinding } from './spec-check.ts'

const regionPath = ['hetzner', 'region']

/** Region, network zone, and that everything stands in it: a Hetzner network has one zone. */
export function checkLocations({ file, pools }: CheckContext): CheckFinding[] {
  const { region } = file.hetzner
  const { location } = file.loadBalancer
  return [
    ...checkKnown(region, regionPath),
    ...checkZone(file.hetzner),
    ...pools.flatMap((pool) => checkPool(pool, region)),
    ...(location === undefined
      ? []
      : checkReachable(location, ['loadBalancer', 'location'], region)),
  ]
}

function checkKnown(location: string, path: Path): CheckFinding[] {
  if (locationNames.includes(location)) return []
  const near = nearestName(location, locationNames)
  return [
    {
      severity: 'error',
      path,
      message: `${formatPath(path)} is ${quoteValue(location)}, which is no location of Hetzner`,
      hint:
        near === undefined ? `Choose one of ${locationNames.join(', ')}.` : `Did you mean ${near}?`,
    },
  ]
}

function checkZone(hetzner: { region: string; networkZone?: string | undefined }): CheckFinding[] {
  const { region, networkZone } = hetzner
  if (networkZone === undefined) return []
  const path = ['hetzner', 'networkZone']
  const right = networkZoneOf(region)
  if (!networkZones.includes(networkZone)) {
    const near = right ?? nearestName(networkZone, networkZones)
    return [
      {
        severity: 'error',
        path,
        message: `hetzner.networkZone is ${quoteValue(networkZone)}, which is no network zone of Hetzner`,
        hint: near === undefined ? `Choose one of ${networkZones.join(', ')}.` : `Write ${near}.`,
      },
    ]
  }
  if (right === undefined || right === networkZone) return []
  return [
    {
      severity: 'error',
      path,
      message: `hetzner.networkZone is ${networkZone}, but the region ${region} lies in ${right}`,
      hint: `Write ${right}, or remove the line: it follows from the region.`,
      involves: [regionPath],
    },
  ]
}

function checkPool({ pool, path }: PoolInFile, region: string): CheckFinding[] {
  return (pool.locations ?? []).flatMap((location, index, all) => {
    const here = [...path, 'locations', index]
    if (all.indexOf(location) === index) return checkReachable(location, here, region)
    return [
      {
        severity: 'error' as const,
        path: here,
        message: `${formatPath([...path, 'locations'])} names ${quoteValue(location)} twice`,
        hint: 'Name each location once: nodes are spread evenly over them.',
      },
    ]
  })
}

function checkReachable(location: string, path: Path, region: string): CheckFinding[] {
  const unknown = checkKnown(location, path)
  const zone = networkZoneOf(location)
  const home = networkZoneOf(region)
  if (unknown.length > 0 || home === undefined || zone === home) return unknown
  return [
    {
      severity: 'error',
      path,
      message: `${formatPath(path)} is ${location} in ${zone}, but the cluster's network is in ${home}, as the region ${region} is`,
      hint: `Choose from ${locationNames.filter((name) => networkZoneOf(name) === home).join(', ')}.`,
      involves: [regionPath],
    },
  ]
}
