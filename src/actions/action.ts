import type { Runner } from '../github/runner.ts'
import type { RunContext } from '../run/run-context.ts'
import type { RunNote } from './run-note.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** One invocation of an action: the runner, and what commands need. */
export interface ActionRun {
  readonly runner: Runner
  readonly context: RunContext
  readonly environment: Environment
  /** What `main` holds on to, for `post`. */
  readonly note: RunNote
}

/** An action: inputs to a command to outputs. Its action.yml says the same, and a test compares the two. */
export interface Action {
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  main(run: ActionRun): Promise<void>
  /** What is undone after the job's other steps, also when they failed. */
  readonly post?: ((run: ActionRun) => Promise<void>) | undefined
}

/** Inputs that every action on a cluster has. */
export const clusterInputs = [
  'config',
  'hcloud-token',
  'age-identity',
  'github-token',
  'job',
] as const
