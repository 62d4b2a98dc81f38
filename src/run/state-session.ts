import type { ClusterError } from '../lib/cluster-error.ts'
import type { Finding } from '../lib/finding.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import type { StateStore } from '../store/state-store.ts'
import type { CheckedOutFile } from './merged-file.ts'

/** A cluster file together with the state of its cluster, in every mode. */
export interface StateSession extends AsyncDisposable {
  readonly file: CheckedOutFile
  readonly spec: CommonSpec
  /** Warnings about the file. */
  readonly findings: readonly Finding[]
  readonly store: StateStore
  /** The run's, and aborted when it has lost its lock. */
  readonly signal: AbortSignal
  /** Ends everything that is being asked of the provider: for a run that has lost its lock. */
  readonly stop: (reason: ClusterError) => void
}
