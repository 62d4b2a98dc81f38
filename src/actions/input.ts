import type { Runner } from '../github/runner.ts'
import { ClusterError } from '../lib/cluster-error.ts'

/** An input of an action: what its action.yml declares, and how its text becomes a value. */
export interface Input<Value> {
  readonly description: string
  /** What action.yml says, for people and linters: runners do not enforce it. */
  readonly required: boolean
  /** What the runner gives where the workflow gives nothing. */
  readonly default?: string
  /** Whether its value is kept out of everything that leaves the run. */
  readonly isSecret: boolean
  /** Gets the text, trimmed, and empty where there is none. Throws `usage` for one that is no value. */
  readonly read: (text: string, name: string) => Value
}

/** All inputs of an action, by name. */
export type Inputs = Readonly<Record<string, Input<unknown>>>

/** What an action gets for its inputs. */
export type InputValues<Declared extends Inputs> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Input<infer Value> ? Value : never
}

interface InputTraits {
  readonly required?: boolean
  readonly default?: string
  readonly isSecret?: boolean
}

/** A text, undefined where there is none: what that means, the action decides, a required input included. */
export function textInput(
  description: string,
  traits: InputTraits = {},
): Input<string | undefined> {
  return declare(description, traits, (text) => text || undefined)
}

/** A text that must be there. */
export function neededInput(description: string, traits: InputTraits = {}): Input<string> {
  return declare(description, { required: true, ...traits }, (text, name) => {
    if (text !== '') return text
    throw new ClusterError('usage', `the input ${name} is required`, {
      hint: 'Give it under with: in the workflow step.',
    })
  })
}

/** One of a few words, the first where there is none. */
export function choiceInput<const Choice extends string>(
  description: string,
  [first, ...others]: readonly [Choice, ...Choice[]],
): Input<Choice> {
  return declare(description, { default: first }, (text, name) => {
    const choices = [first, ...others]
    const chosen = text === '' ? first : choices.find((choice) => choice === text)
    if (chosen !== undefined) return chosen
    const allowed = [choices.slice(0, -1).join(', '), ...choices.slice(-1)].join(' or ')
    throw new ClusterError('usage', `the input ${name} is ${text}, and must be ${allowed}`, {
      hint: `Give ${allowed} under with: in the workflow step.`,
    })
  })
}

/** `true` or `false`, which is the default. */
export function flagInput(description: string): Input<boolean> {
  const { read, ...rest } = choiceInput(description, ['false', 'true'])
  return { ...rest, read: (text, name) => read(text, name) === 'true' }
}

/** Names, with spaces, commas or line ends between them. */
export function namesInput(description: string): Input<string[]> {
  return declare(description, {}, (text) => text.split(/[\s,]+/).filter(Boolean))
}

/** Reads one input as its declaration tells. */
export function readInput<Declared extends Inputs, Name extends keyof Declared & string>(
  inputs: Declared,
  name: Name,
  runner: Pick<Runner, 'input'>,
): InputValues<Declared>[Name]
export function readInput(inputs: Inputs, name: string, runner: Pick<Runner, 'input'>): unknown {
  return inputs[name]?.read(runner.input(name), name)
}

function declare<Value>(
  description: string,
  { required = false, isSecret = false, ...others }: InputTraits,
  read: Input<Value>['read'],
): Input<Value> {
  return { description, required, isSecret, ...others, read }
}
