import { ClusterError } from '../lib/cluster-error.ts'

/** `state-corrupt`: what is on the branch is ours, and is not what was written. Nothing is guessed. */
export function stateCorrupt(target: string, why: string, cause?: unknown): ClusterError {
  return new ClusterError(
    'state-corrupt',
    `the state of the cluster was damaged or changed: ${why}`,
    {
      hint: 'Look at the last commits of the state branch and set it back to the last good one.',
      operation: 'read the state branch',
      target,
      cause,
    },
  )
}

/** `state-foreign`: the branch holds something that was never ours. */
export function stateForeign(branch: string, what: string): ClusterError {
  return new ClusterError('state-foreign', `the branch ${branch} is not a state branch: ${what}`, {
    hint: 'Choose another branch in state.branch; this one was not touched.',
    operation: 'read the state branch',
    target: branch,
  })
}
