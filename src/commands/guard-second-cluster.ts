import type { Finding } from '../lib/finding.ts'
import type { ClusterView } from './observe-cluster.ts'

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
  if (unnamed.length === 0) return []
  const [first = ''] = unnamed
  const all = unnamed.map((name) => {
    const servers = hetzner.serversOf.get(name) ?? 0
    return `${name} (${servers} ${servers === 1 ? 'server' : 'servers'} in this project)`
  })
  const named = [...state.alongside, ...unnamed].join(', ')
  return [
    {
      severity: 'error',
      path: ['clusterName'],
      message: `the branch ${state.branch} knows no cluster ${clusterName}, but ${all.join(', ')}: an apply would create a second cluster, and that one would run on, and be billed`,
      hint: `If this file is that of ${first}, write clusterName: ${first} again: a cluster keeps its name for life. If ${first} is to go, destroy it first, with its name in the file. If both are wanted, write state.alongside: [${named}].`,
    },
  ]
}
