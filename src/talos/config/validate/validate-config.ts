import { nearestName } from '../../../spec/nearest-name.ts'
import { quoteValue } from '../../../spec/quote-value.ts'
import { type ConfigDocument, documentIdentity } from '../config-document.ts'
import { checkValue } from './check-value.ts'
import { type ConfigProblem, type Fault, problemOf } from './config-problem.ts'
import { type ConfigView, viewConfig } from './config-view.ts'
import { describeMinors } from './describe-minors.ts'
import {
  documentKind,
  documentKinds,
  isNewerThanTables,
  minorsOfDocument,
  newestKnownMinor,
} from './known-fields.ts'
import { textAt } from './read-config.ts'
import { namesAreGivenOnce } from './rules/document-conflicts.ts'
import { documentRules, namelessKinds } from './rules/document-rules.ts'
import { legacyRules } from './rules/legacy-rules.ts'
import { needsBothSections } from './rules/machine-identity.ts'
import { kindFitsRole, sectionIsGivenOnce } from './rules/replaced-sections.ts'

/**
 * What a cloud machine that runs a release of Talos (12 and 4 for v1.12.4) would refuse in a config, or warn
 * of: fields that it does not know, values of a wrong type or form, and what does not go together. The node
 * has the last word: expressions and certificates it reads itself, and of its hardware only it knows. Patch
 * releases bring fields too: what is unheard of is a warning where the release is newer than the tables.
 */
export function validateConfig(
  documents: readonly ConfigDocument[],
  minor: number,
  patch = 0,
): readonly ConfigProblem[] {
  const view = viewConfig(documents, minor)
  const isNewer = isNewerThanTables(minor, patch)
  return documents.flatMap((document) =>
    documentFaults(document, view).map((fault) =>
      problemOf(document, isNewer && fault.isUnheardOf ? { ...fault, isWarning: true } : fault),
    ),
  )
}

function documentFaults(document: ConfigDocument, view: ConfigView): readonly Fault[] {
  const { kind } = documentIdentity(document)
  const known = documentKind(kind, view.minor)
  if (known === undefined) return [unknownKind(kind, view.minor)]
  const version = textAt(document, 'apiVersion')
  if (kind !== '' && version !== 'v1alpha1') {
    return [{ at: ['apiVersion'], message: 'must be v1alpha1' }]
  }
  const unread = checkValue(known.struct, document, [], view.minor)
  const broken = kind === '' ? needsBothSections(document, view) : []
  // Nothing more is to be said of what is not there.
  if (broken.length > 0) return [...unread, ...broken]
  // A value that cannot be read is told once: no rule has more to say of it.
  const ruled = faultsOfRules(document, view).filter(
    (fault) => !unread.some((other) => isAbove(other, fault)),
  )
  return [...unread, ...ruled]
}

function faultsOfRules(document: ConfigDocument, view: ConfigView): readonly Fault[] {
  const { kind, name } = documentIdentity(document)
  if (kind === '') return legacyRules.flatMap((rule) => rule(document, view))
  const isNamed = documentKind(kind, view.minor)?.isNamed && !namelessKinds.includes(kind)
  const nameless: Fault[] = isNamed && name === '' ? [{ at: ['name'], message: 'is needed' }] : []
  const rules = [
    ...(documentRules[kind] ?? []),
    namesAreGivenOnce,
    sectionIsGivenOnce,
    kindFitsRole,
  ]
  return [...nameless, ...rules.flatMap((rule) => rule(document, view))]
}

function isAbove(upper: Fault, lower: Fault): boolean {
  return (
    upper.at.length <= lower.at.length && upper.at.every((step, index) => step === lower.at[index])
  )
}

function unknownKind(kind: string, minor: number): Fault {
  const elsewhere = minorsOfDocument(kind)
  const near = nearestName(kind, documentKinds(minor))
  const hint =
    elsewhere !== undefined
      ? `Remove it: only Talos ${describeMinors(elsewhere)} has it.`
      : near !== undefined
        ? `Did you mean ${near}?`
        : `Use one of ${documentKinds(minor).join(', ')}.`
  const fault = { at: ['kind'], hint, isUnheardOf: elsewhere === undefined && near === undefined }
  if (minor <= newestKnownMinor) {
    return { ...fault, message: `${quoteValue(kind)} is no document that Talos 1.${minor} knows` }
  }
  return {
    ...fault,
    message: `${quoteValue(kind)} is no document of Talos 1.${newestKnownMinor}, the newest that is known here; whether 1.${minor} has it is known only to the node`,
    isWarning: true,
  }
}
