import { ClusterError } from '../../../lib/cluster-error.ts'

/** The nodes that the user named, for a question; nothing of what is asked happens to others. Throws `usage`. */
export function requireNamed(nodes: readonly string[]): string {
  if (nodes.length > 0) return nodes.join(', ')
  throw new ClusterError('usage', 'no node is named', { hint: 'Name it with --nodes.' })
}
