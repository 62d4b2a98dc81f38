import type { Json } from '../../../lib/json.ts'
import { type ConfigDocument, documentIdentity } from '../config-document.ts'
import type { Fault } from './config-problem.ts'
import { textAt } from './read-config.ts'

/** A whole config, as rules look at it. */
export interface ConfigView {
  readonly documents: readonly ConfigDocument[]
  /** The v1alpha1 document; empty where there is none. */
  readonly legacy: ConfigDocument
  /** Undefined for a machine of an unknown type. */
  readonly role: 'control-plane' | 'worker' | undefined
  /** Of Talos: 12 for v1.12.4. */
  readonly minor: number
}

/** One thing that a node would refuse in a document of a config. */
export type Rule = (document: ConfigDocument, view: ConfigView) => readonly Fault[]

export function viewConfig(documents: readonly ConfigDocument[], minor: number): ConfigView {
  const legacy = documents.find((each) => documentIdentity(each).kind === '') ?? {}
  return { documents, legacy, role: roles.get(textAt(legacy, 'machine', 'type')), minor }
}

const roles: ReadonlyMap<string, ConfigView['role']> = new Map([
  ['init', 'control-plane'],
  ['controlplane', 'control-plane'],
  ['worker', 'worker'],
  ['join', 'worker'],
  ['', 'worker'],
])

/** The faults of the elements of a list. Go leaves out elements without a value, and so does this. */
export function eachOf(
  list: readonly Json[],
  faultsOf: (element: Json, index: number) => Fault | readonly Fault[] | undefined,
): Fault[] {
  return list.flatMap((element, index) =>
    element === null ? [] : (faultsOf(element, index) ?? []),
  )
}
