import { formatPath } from '../../../lib/finding.ts'
import { quoteValue } from '../../../spec/quote-value.ts'
import { type ConfigDocument, describeIdentity, documentIdentity } from '../config-document.ts'

export type ConfigPath = readonly (string | number)[]

/** Something in a config: the document by kind (empty for the v1alpha1 one) and name, and where in it. */
export interface ConfigPlace {
  readonly kind: string
  readonly name: string
  readonly path: ConfigPath
}

/** What a node would refuse in a config, or warn of. Quotes no value: any may be a secret. */
export interface ConfigProblem {
  readonly severity: 'error' | 'warning'
  /** What it is about: first what to point at, then what that gets on badly with. */
  readonly places: readonly [ConfigPlace, ...ConfigPlace[]]
  readonly message: string
  readonly hint?: string
  /** Whether no text would do there, whatever it says. */
  readonly isNoText?: boolean
}

/** What a rule finds in a document. */
export interface Fault {
  /** Keys and indexes from the top of the document; empty for all of it. */
  readonly at: ConfigPath
  /** A predicate: `must be a list`. */
  readonly message: string
  readonly hint?: string | undefined
  /** Whether no text would do there, whatever it says. */
  readonly isNoText?: boolean
  /** Whether Talos takes it all the same. */
  readonly isWarning?: boolean
  /** Whether it is a name that is unknown and like no other: a newer release may well have it. */
  readonly isUnheardOf?: boolean
  /** What else it is about. */
  readonly also?: readonly ConfigPlace[]
}

/** The fault as a problem of the config: `machine.kubelet must be a mapping`, `VLANConfig a: vlanID …`. */
export function problemOf(document: ConfigDocument, fault: Fault): ConfigProblem {
  const { kind, name } = documentIdentity(document)
  const { at, message, hint, isNoText, isWarning, also = [] } = fault
  return {
    severity: isWarning ? 'warning' : 'error',
    places: [{ kind, name, path: at }, ...also],
    message: `${subjectOf(document, at)} ${message}`,
    ...(hint !== undefined && { hint }),
    ...(isNoText && { isNoText }),
  }
}

function subjectOf(document: ConfigDocument, at: ConfigPath): string {
  const identity = documentIdentity(document)
  const title = describeIdentity(identity)
  if (at.length === 0) return title
  const path = formatPath(at.map(showStep))
  return identity.kind === '' ? path : `${title}: ${path}`
}

/** Keys of free mappings can be anything, of any length, and secrets by mistake. */
function showStep(step: string | number): string | number {
  return typeof step === 'number' || /^[\w.\-/%:*@]{1,63}$/.test(step) ? step : quoteValue(step)
}
