import type { Finding } from '../../lib/finding.ts'
import type { ClusterView } from './cluster-view.ts'

/**
 * A plan that would begin a cluster beside others which the branch knows: a file whose clusterName was changed does so
 * too, and the cluster that it described runs on. Such a plan is refused until the file names those others.
 */
export function guardSecondCluster({
  spec,
  generation,
  neighbours,
  hetzner,
}: ClusterView): Finding[] {
  if (generation || !neighbours) return []
  const { clusterName, state } = spec
  const unnamed = neighbours.filter((name) => !state.alongside.includes(name))
  if (unnamed.length === 0) return clustersElsewhere({ spec, neighbours, hetzner })
  const [first = ''] = unnamed
  const all = unnamed.map((name) => withServers(name, hetzner))
  const named = [...state.alongside, ...unnamed].join(', ')
  return [
    {
      severity: 'error',
      path: ['clusterName'],
      message: `the branch ${state.branch} has no cluster ${clusterName}, but ${all.join(', ')}: an apply would create a second cluster, and that one would run on, and be billed`,
      hint: `If this file is that of ${first}, write clusterName: ${first} again: a cluster keeps its name for life. If ${first} is to go, destroy it first, with its name in the file. If both are wanted, write state.alongside: [${named}].`,
    },
  ]
}

/**
 * A file of which the name and `state.branch` were changed at once finds a branch that knows nobody. All that is left
 * of the former cluster are its servers, which other files of the same project have as well: a warning.
 */
function clustersElsewhere({
  spec: { clusterName, state },
  neighbours,
  hetzner,
}: Pick<ClusterView, 'spec' | 'neighbours' | 'hetzner'>): Finding[] {
  const known = new Set([clusterName, ...state.alongside, ...(neighbours ?? [])])
  const elsewhere = [...hetzner.serversOf.keys()].filter((name) => !known.has(name)).sort()
  const [first] = elsewhere
  if (first === undefined) return []
  const all = elsewhere.map((name) => withServers(name, hetzner))
  return [
    {
      severity: 'warning',
      path: ['clusterName'],
      message: `the branch ${state.branch} has no cluster yet that this file could describe, and of other clusters there are ${all.join(', ')}: an apply creates another one, and those run on, and are billed`,
      hint: `If this file was that of ${first}, write clusterName: ${first} and its former state.branch again. If the others are those of other files, go ahead; state.alongside: [${elsewhere.join(', ')}] confirms that.`,
    },
  ]
}

function withServers(name: string, { serversOf }: ClusterView['hetzner']): string {
  const servers = serversOf.get(name) ?? 0
  return `${name} (${servers} ${servers === 1 ? 'server' : 'servers'} in this project)`
}
