import { ClusterError } from '../lib/cluster-error.ts'
import { type JournalEntry, lastFact } from '../store/files/journal.ts'

/**
 * Control planes in the order in which etcd is started on them: the one first on which an earlier run began it without
 * having seen it come. Throws `etcd-unhealthy` when that one is not among them any more: whether it has an etcd cannot
 * be found out, and a second one must not be made.
 */
export function whereEtcdBegan<Node extends { readonly name: string }>(
  controlPlanes: readonly Node[],
  journal: readonly JournalEntry[],
): [Node, ...Node[]] {
  const [first, ...others] = controlPlanes
  if (!first) throw new Error('a cluster without a control plane passed the checks')
  const begun = begunIn(journal)
  if (begun === undefined) return [first, ...others]
  const node = controlPlanes.find(({ name }) => name === begun.node)
  if (node) return [node, ...controlPlanes.filter((other) => other !== node)]
  throw new ClusterError(
    'etcd-unhealthy',
    `the run ${begun.run} began etcd on ${begun.node}, which is no control plane of the file any more: whether etcd lives there is not known`,
    {
      hint: `Put ${begun.node} back into the file and apply; change the control plane once etcd is healthy.`,
      operation: 'bootstrap etcd on',
      target: first.name,
    },
  )
}

/** The last beginning of etcd, unless it was seen to come. */
function begunIn(journal: readonly JournalEntry[]): JournalEntry | undefined {
  const begun = lastFact(journal, 'etcd-bootstrap-started')
  const come = lastFact(journal, 'etcd-bootstrapped')
  if (!begun || begun.node === undefined) return undefined
  return come && journal.lastIndexOf(come) > journal.lastIndexOf(begun) ? undefined : begun
}
