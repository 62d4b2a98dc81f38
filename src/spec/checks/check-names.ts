import { formatPath } from '../../lib/finding.ts'
import type { PoolInFile } from '../pools-in-file.ts'
import { quoteValue } from '../quote-value.ts'
import type { CheckContext, CheckFinding } from './spec-check.ts'

/** A node's name is one DNS label: `<cluster>-<pool>-<slot>`. */
const longestNodeName = 63

/** Slots have three digits at most, since a network holds 100 servers. */
const longestSlot = '-100'

/** Names of pools, and the names of nodes that come of them. */
export function checkNames({ file, pools }: CheckContext): CheckFinding[] {
  const workers = pools.filter(({ role }) => role === 'worker')
  return [
    ...pools.flatMap((pool) => checkLength(file.clusterName, pool)),
    ...workers.flatMap(checkReserved),
    ...workers.flatMap((pool, index) => checkUnique(pool, workers.slice(0, index))),
  ]
}

function checkLength(clusterName: string, { name, role, path }: PoolInFile): CheckFinding[] {
  const room = longestNodeName - longestSlot.length - 1
  const excess = clusterName.length + name.length - room
  if (excess <= 0) return []
  const isPool = role === 'worker' && name.length > excess && name !== 'workers'
  const tooLong = isPool ? name : clusterName
  return [
    {
      severity: 'error',
      path: isPool ? [...path, 'name'] : ['clusterName'],
      message: `names of nodes such as ${clusterName}-${name}-1 would pass ${longestNodeName} characters`,
      hint: `Shorten ${quoteValue(tooLong)} to ${Math.max(tooLong.length - excess, 1)} characters.`,
      involves: [['clusterName'], [...path, 'name']],
    },
  ]
}

function checkReserved({ name, path }: PoolInFile): CheckFinding[] {
  if (!name.startsWith('control-plane')) return []
  return [
    {
      severity: 'error',
      path: [...path, 'name'],
      message: `a worker pool cannot be called ${quoteValue(name)}: its nodes would look like control planes`,
      hint: 'Choose another name; control planes are described under nodes.controlPlane.',
    },
  ]
}

function checkUnique({ name, path }: PoolInFile, former: readonly PoolInFile[]): CheckFinding[] {
  const twin = former.find((other) => other.name === name)
  if (twin === undefined) return []
  return [
    {
      severity: 'error',
      path: [...path, 'name'],
      message: `two pools are called ${quoteValue(name)}`,
      hint: `Give one another name, or add its count to ${formatPath(twin.path)}.`,
      involves: [[...twin.path, 'name']],
    },
  ]
}
