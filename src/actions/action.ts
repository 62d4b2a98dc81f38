import type { Runner } from '../github/runner.ts'
import type { RunnerEvent } from '../github/runner-event.ts'
import type { RunContext } from '../run/run-context.ts'
import { type Inputs, type InputValues, readInput } from './input.ts'
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

/** Each output by name, with what action.yml says of it. */
export type Outputs = Readonly<Record<string, string>>

interface ActionDefinition<Declared extends Inputs> {
  readonly inputs: Declared
  readonly outputs: Outputs
  /** Throws `usage` on an event that may not do this, before any other input is read. */
  refuse(
    event: RunnerEvent,
    read: <Name extends keyof Declared & string>(name: Name) => InputValues<Declared>[Name],
  ): void
  main(run: ActionRun, values: InputValues<Declared>): Promise<void>
  /** What is undone after the job's other steps, also when they failed. */
  readonly post?: ((run: ActionRun) => Promise<void>) | undefined
}

/** An action: inputs to a command to outputs. Its action.yml says the same, and a test compares the two. */
export interface Action {
  readonly inputs: Inputs
  readonly outputs: Outputs
  readonly main: (run: ActionRun) => Promise<void>
  readonly post?: ((run: ActionRun) => Promise<void>) | undefined
}

/** Every action is one call of this. What is wrong with an input is thrown before anything is done. */
export function defineAction<Declared extends Inputs>(
  definition: ActionDefinition<Declared>,
): Action {
  const { inputs, outputs, post } = definition
  return {
    inputs,
    outputs,
    post,
    async main(run) {
      const { runner } = run
      definition.refuse(runner.event, (name) => readInput(inputs, name, runner))
      await definition.main(run, readInputs(inputs, runner))
    },
  }
}

function readInputs<Declared extends Inputs>(
  inputs: Declared,
  runner: Runner,
): InputValues<Declared>
function readInputs(inputs: Inputs, runner: Runner): unknown {
  const names = Object.keys(inputs)
  return Object.fromEntries(names.map((name) => [name, readInput(inputs, name, runner)]))
}
