import { ClusterError } from '../lib/cluster-error.ts'
import type { ErrorCode } from '../lib/error-codes.ts'

/** What can be wrong with a state that is read, each with the way out of it. */
const remedies = {
  'state-corrupt':
    'Look at the last commits of the state branch and set it back to the last good one.',
  'state-unsigned':
    'Find out who pushed to the state branch and set it back to its last signed commit; `hcloud-talos verify` names it.',
  'state-signature-wrong':
    'Somebody without the key wrote this. Set the state branch back to its last good commit; `hcloud-talos verify` names it.',
  'state-signer-unknown':
    'If this is your key (`hcloud-talos signer` prints it), add it at the end of state.signer in the cluster file; if it is nobody you know, set the state branch back.',
  'state-manifest-unreadable':
    'Use the newest version of this program; if it is no matter of versions, set the state branch back to its last good commit.',
  'state-other-cluster':
    'Put the folder of this very cluster back on the state branch, from its history; each cluster has its own.',
  'state-other-repository':
    'If the repository was renamed or moved, write its former name into state.repository; if not, this branch was copied from elsewhere.',
  'state-epoch-unknown':
    'List the keys of all epochs in state.signer, in their order and with the former ones, and use the identity of the newest.',
  'state-file-missing': 'Restore the file from the former commit of the state branch.',
  'state-file-changed': 'Restore the file from the former commit of the state branch.',
  'state-file-misplaced':
    'Set the state branch back to the commit before the file was moved or added; `hcloud-talos verify` names it.',
  'state-rolled-back':
    'Set the state branch forward again to its newest commit (a clone, or the activity of the repository, has it); docs/troubleshooting.md says what to do if it is lost.',
  'state-chain-broken':
    'The history of the state branch was rewritten. Set it back to the last commit that `hcloud-talos verify` finds whole.',
} as const satisfies Partial<Record<ErrorCode, string>>

/** The codes with which a state is refused that is not what was written. */
export type StateDamage = keyof typeof remedies

/** A state that is not believed. Nothing is guessed and nothing is mended by itself. */
export function stateDamage(
  code: StateDamage,
  target: string,
  message: string,
  cause?: unknown,
): ClusterError {
  const operation = 'read the state branch'
  return new ClusterError(code, message, { hint: remedies[code], operation, target, cause })
}

/** `state-corrupt`: what is on the branch is ours, and cannot be read. */
export function stateCorrupt(target: string, why: string, cause?: unknown): ClusterError {
  const message = `the state of the cluster was damaged or changed: ${why}`
  return stateDamage('state-corrupt', target, message, cause)
}

/** `state-foreign`: the branch holds something that was never ours. */
export function stateForeign(branch: string, what: string): ClusterError {
  return new ClusterError('state-foreign', `the branch ${branch} is not a state branch: ${what}`, {
    hint: 'Choose another branch in state.branch; this one was not touched.',
    operation: 'read the state branch',
    target: branch,
  })
}
