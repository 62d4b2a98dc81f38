import type { Finding } from '../../lib/finding.ts'
import type { HostsView } from './hosts-view.ts'

/** A plan that would begin a cluster beside others which the branch knows is refused until the file names those. */
export function guardBeginning({ spec, generation, neighbours }: HostsView): Finding[] {
  if (generation || !neighbours) return []
  const { clusterName, state } = spec
  const unnamed = neighbours.filter((name) => !state.alongside.includes(name))
  const [first] = unnamed
  if (first === undefined) return []
  const named = [...state.alongside, ...unnamed].join(', ')
  return [
    {
      severity: 'error',
      path: ['clusterName'],
      message: `the branch ${state.branch} has no cluster ${clusterName}, but ${unnamed.join(', ')}: an apply would begin a second cluster`,
      hint: `If this file is that of ${first}, write clusterName: ${first} again: a cluster keeps its name for life. If both are wanted, write state.alongside: [${named}].`,
    },
  ]
}
