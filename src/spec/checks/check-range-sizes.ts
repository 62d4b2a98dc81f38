import { cidrHasAddress, cidrSize, formatCidr, parseCidr } from '../../lib/cidr.ts'
import type { Path } from '../yaml/yaml-source.ts'
import type { CheckContext, CheckFinding } from './spec-check.ts'

/** Kubernetes gives each node this much of the pod range. */
const podPrefixOfNode = 24

/** The first hosts of a large node range stay free, as do network and broadcast address. */
const keptAddresses = 11

/** kube-apiserver takes no larger service range, and cluster DNS wants its tenth address. */
const largestServicePrefix = 12
const smallestServicePrefix = 27

/** Some room for load balancers besides the cluster's own. */
const smallestLoadBalancerPrefix = 28

/** Whether the ranges have room for what the file asks for. */
export function checkRangeSizes(context: CheckContext): CheckFinding[] {
  return [
    ...checkNodes(context),
    ...checkPods(context),
    ...checkServices(context),
    ...checkLoadBalancers(context),
  ]
}

function checkNodes({ spec, pools }: CheckContext): CheckFinding[] {
  const range = parseCidr(spec.network.nodeRange)
  const wanted = nodeCount(pools)
  if (range === undefined) return []
  const size = cidrSize(range)
  const room = Math.max(0, size > 4 * keptAddresses ? size - keptAddresses : size - 3)
  if (wanted <= room) return []
  return [
    tooSmall(
      'nodeRange',
      `${formatCidr(range)} has room for ${room} of the ${wanted} nodes that the file asks for`,
      pools,
    ),
  ]
}

function checkPods({ spec, pools }: CheckContext): CheckFinding[] {
  const range = parseCidr(spec.network.podRange)
  const wanted = nodeCount(pools)
  if (range === undefined) return []
  const room = range.prefix > podPrefixOfNode ? 0 : 2 ** (podPrefixOfNode - range.prefix)
  if (wanted <= room) return reservedPods(range, wanted)
  return [
    tooSmall(
      'podRange',
      `${formatCidr(range)} has room for the pods of ${room} of the ${wanted} nodes that the file asks for (a /${podPrefixOfNode} each)`,
      pools,
    ),
  ]
}

/** Hetzner takes no route over 172.31.1.1, so the node whose pods would be there has no network. */
function reservedPods(range: { first: number; prefix: number }, nodes: number): CheckFinding[] {
  const holds = Array.from({ length: nodes }, (_, index) => ({
    first: range.first + index * 2 ** (32 - podPrefixOfNode),
    prefix: podPrefixOfNode,
  })).some((share) => cidrHasAddress(share, '172.31.1.1'))
  if (!holds) return []
  return [
    {
      severity: 'error',
      path: ['network', 'podRange'],
      message: `network.podRange ${formatCidr(range)} holds 172.31.1.1, which Hetzner keeps for itself`,
      hint: 'Choose a range without it.',
      involves: [['network', 'cidr']],
    },
  ]
}

function checkServices({ spec }: CheckContext): CheckFinding[] {
  const range = parseCidr(spec.network.serviceRange)
  if (range === undefined) return []
  if (range.prefix < largestServicePrefix) {
    return [
      {
        severity: 'error',
        path: ['network', 'serviceRange'],
        message: `network.serviceRange ${formatCidr(range)} is too large: Kubernetes takes no more than a /${largestServicePrefix}`,
        hint: 'Choose a smaller range: a /16 has 65536 service addresses.',
        involves: [['network', 'cidr']],
      },
    ]
  }
  if (range.prefix <= smallestServicePrefix) return []
  return [
    tooSmall(
      'serviceRange',
      `${formatCidr(range)} is smaller than a /${smallestServicePrefix}`,
      [],
    ),
  ]
}

function checkLoadBalancers({ spec }: CheckContext): CheckFinding[] {
  const range = parseCidr(spec.network.loadBalancerRange)
  if (range === undefined || range.prefix <= smallestLoadBalancerPrefix) return []
  return [
    tooSmall(
      'loadBalancerRange',
      `${formatCidr(range)} is smaller than a /${smallestLoadBalancerPrefix}`,
      [],
    ),
  ]
}

function tooSmall(
  name: string,
  what: string,
  pools: readonly { readonly path: Path }[],
): CheckFinding {
  return {
    severity: 'error',
    path: ['network', name],
    message: `network.${name} is too small: ${what}`,
    hint: 'Widen it; where it is derived, widen network.cidr.',
    involves: [['network', 'cidr'], ...pools.map(({ path }) => [...path, 'count'])],
  }
}

function nodeCount(pools: CheckContext['pools']): number {
  return pools.reduce((total, { pool }) => total + pool.count, 0)
}
