import { ClusterError, isClusterError } from '../../lib/cluster-error.ts'
import type { ErrorCode } from '../../lib/error-codes.ts'

/** What can be wrong with a state that is read, each with the way out of it. */
const repair =
  'Run `hcloud-talos repair`: it shows which commit did this and who made it, and brings the branch back to its newest signed generation.'

const remedies = {
  'state-corrupt': repair,
  'state-unsigned': repair,
  'state-signature-wrong': `Somebody without the key wrote this: find out who pushed. ${repair}`,
  'state-signer-unknown':
    'If this is your key (`hcloud-talos signer` prints it), add it at the end of state.signer in the cluster file; if it is nobody you know, find out who pushed, and run `hcloud-talos repair`.',
  'state-manifest-unreadable':
    'Use the newest version of this program; if it is no matter of versions, run `hcloud-talos repair`.',
  'state-other-cluster':
    'Run `hcloud-talos repair`: it puts the files of this very cluster back. If the cluster was destroyed and recreated, the state is that of its predecessor: set the branch forward to its newest commit.',
  'state-other-repository':
    'If the repository was renamed or moved, write its former name into state.repository; if not, this branch was copied from elsewhere.',
  'state-epoch-unknown':
    'List the keys of all epochs in state.signer, in their order and with the former ones, and use the identity of the newest.',
  'state-file-missing': repair,
  'state-file-changed': repair,
  'state-file-misplaced': repair,
  'state-rolled-back':
    'Bring the newer generations back: push the newest commit that a clone or the activity of the repository has to the state branch, or run `hcloud-talos import --from <bundle>`. Only if they are lost for good, run `hcloud-talos repair --accept-older`.',
  'state-chain-broken': repair,
} as const satisfies Partial<Record<ErrorCode, string>>

/** The codes with which a state is refused that is not what was written. */
export type StateDamage = keyof typeof remedies

/** A state that is not believed. Nothing is guessed and nothing is fixed by itself. */
export function stateDamage(
  code: StateDamage,
  target: string,
  message: string,
  { cause, hint = remedies[code] }: { cause?: unknown; hint?: string | undefined } = {},
): ClusterError {
  const operation = 'read the state branch'
  return new ClusterError(code, message, { hint, operation, target, cause })
}

/** Whether an error is about what stands on the state branch, and not about reading it. */
export function isStateDamage(error: unknown): error is ClusterError {
  if (!isClusterError(error)) return false
  return error.code === 'state-foreign' || Object.hasOwn(remedies, error.code)
}

/** `state-corrupt`: what is on the branch is ours, and cannot be read. */
export function stateCorrupt(target: string, why: string, cause?: unknown): ClusterError {
  const message = `the state of the cluster was damaged or changed: ${why}`
  return stateDamage('state-corrupt', target, message, { cause })
}

/** `state-foreign`: the branch holds something that was never ours. */
export function stateForeign(branch: string, what: string): ClusterError {
  return new ClusterError('state-foreign', `the branch ${branch} is not a state branch: ${what}`, {
    hint: 'If it is the right branch, and somebody put this there, run `hcloud-talos repair`, which takes it off again and shows who did it; else choose another branch in state.branch. It was not touched.',
    operation: 'read the state branch',
    target: branch,
  })
}
