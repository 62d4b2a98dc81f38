import { formatPath } from '../../lib/finding.ts'
import type { PoolInFile } from '../pools-in-file.ts'
import type { Path } from '../yaml/yaml-source.ts'
import type { CheckContext, CheckFinding } from './spec-check.ts'

/** Hetzner's limits: servers in one network, servers in a placement group, groups in a project. */
const mostServers = 100
const groupSize = 10
const mostGroups = 50

/** How many nodes there are: what etcd, Hetzner and the account allow. */
export function checkNodeCounts(context: CheckContext): CheckFinding[] {
  return [
    ...checkControlPlanes(context),
    ...checkTotal(context),
    ...checkServerLimit(context),
    ...context.pools.flatMap(checkAutoscaling),
  ]
}

function checkControlPlanes({ file }: CheckContext): CheckFinding[] {
  const { count } = file.nodes.controlPlane
  if (count % 2 === 1) return []
  return [
    {
      severity: 'error',
      path: ['nodes', 'controlPlane', 'count'],
      message: `nodes.controlPlane.count must be odd, but is ${count}: etcd bears the loss of no more of ${count} members than of ${count - 1}`,
      hint: `Write ${count - 1} or ${count + 1}.`,
    },
  ]
}

function checkTotal({ pools }: CheckContext): CheckFinding[] {
  const total = sum(pools.map(({ pool }) => pool.count))
  const groups = sum(pools.map(({ pool }) => Math.ceil(pool.count / groupSize)))
  const involves = countPaths(pools)
  if (total > mostServers) {
    return [
      {
        severity: 'error',
        path: ['nodes'],
        message: `the file asks for ${total} nodes; a Hetzner network holds ${mostServers} servers`,
        hint: 'Make the pools smaller, or several clusters.',
        atKey: true,
        involves,
      },
    ]
  }
  if (groups <= mostGroups) return []
  return [
    {
      severity: 'error',
      path: ['nodes', 'workers'],
      message: `the pools need ${groups} placement groups (one for each ten nodes of a pool); a Hetzner project holds ${mostGroups}`,
      hint: 'Join small pools.',
      atKey: true,
      involves,
    },
  ]
}

function checkServerLimit({ file, pools }: CheckContext): CheckFinding[] {
  const limit = file.hetzner.serverLimit
  const total = sum(pools.map(({ pool }) => pool.count))
  if (limit === undefined || total + 1 <= limit) return []
  const isOver = total > limit
  return [
    {
      severity: isOver ? 'error' : 'warning',
      path: ['hetzner', 'serverLimit'],
      message: isOver
        ? `the file asks for ${total} nodes, but hetzner.serverLimit is ${limit}`
        : `the ${total} nodes use up hetzner.serverLimit: building a new image needs one more server for some minutes`,
      hint: isOver
        ? 'Ask Hetzner for a higher limit, or make the pools smaller.'
        : 'Ask Hetzner for a higher limit before the next Talos version.',
      involves: countPaths(pools),
    },
  ]
}

function checkAutoscaling({ pool, path }: PoolInFile): CheckFinding[] {
  if (!('autoscaling' in pool) || pool.autoscaling === undefined) return []
  return [
    {
      severity: 'error',
      path: [...path, 'autoscaling'],
      message: `${formatPath(path)}.autoscaling comes with a later version`,
      hint: 'Remove it, and give the pool the count that it needs.',
      atKey: true,
    },
  ]
}

function countPaths(pools: readonly PoolInFile[]): Path[] {
  return pools.map(({ path }) => [...path, 'count'])
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
