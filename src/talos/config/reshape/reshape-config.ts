import { isJsonObject, type Json } from '../../../lib/json.ts'
import { type ConfigDocument, documentIdentity, sameIdentity } from '../config-document.ts'
import { mergeDocuments } from '../merge-documents.ts'
import { isList, textAt, valueAt } from '../validate/read-config.ts'
import { replacedSections } from '../validate/rules/replaced-sections.ts'
import { controlPlaneDocuments, dropControlPlane } from './control-plane-documents.ts'
import { machineDocuments } from './machine-documents.ts'
import { nodeDocuments } from './node-documents.ts'
import { OldShape } from './old-shape.ts'

export interface ReshapedConfig {
  readonly documents: readonly ConfigDocument[]
  /** Settings of the v1alpha1 document that no document of 1.14 has, by their paths: a node would refuse them there. */
  readonly placeless: readonly (readonly string[])[]
}

/**
 * A config of the contract v1.13 in the shape of v1.14: each section of the v1alpha1 document that documents of their
 * own replace, as those documents. A node reads the same out of both, but for what `docs/adr/0035` names. Documents
 * that stand beside the v1alpha1 one have the last word, as patches to them had.
 */
export function reshapeConfig(config: readonly ConfigDocument[]): ReshapedConfig {
  return reshape(config, true)
}

/** Only what a config of an older shape says, in the new one: without what the contract v1.14 adds to it. */
export function translateConfig(config: readonly ConfigDocument[]): readonly ConfigDocument[] {
  return reshape(config, false).documents
}

function reshape(config: readonly ConfigDocument[], hasAdditions: boolean): ReshapedConfig {
  const legacy = config.find((document) => documentIdentity(document).kind === '') ?? {}
  const isControlPlane = ['controlplane', 'init'].includes(textAt(legacy, 'machine', 'type'))
  const old = new OldShape(legacy)
  if (!isControlPlane) dropControlPlane(old)
  const made = [
    ...machineDocuments(old),
    // Before the endpoint is taken, which the issuer of service accounts is.
    ...(isControlPlane ? controlPlaneDocuments(old, hasAdditions) : []),
    ...nodeDocuments(old, isControlPlane),
  ]
  const rest = withoutEmptySections(old.rest())
  const others = config.filter((document) => document !== legacy)
  return {
    documents: [rest, ...mergeAll([...made, ...(hasAdditions ? newDefaults : [])], others)],
    placeless: sections.flatMap((section) => leavesAt(rest, section.split('.'))),
  }
}

/** What Talos gives new clusters since 1.14 and gave none before. */
const newDefaults: readonly ConfigDocument[] = [
  { apiVersion: 'v1alpha1', kind: 'VolumeConfig', name: 'EPHEMERAL', mount: { secure: true } },
  { apiVersion: 'v1alpha1', kind: 'FilesystemTrimConfig', interval: '168h0m0s' },
  { apiVersion: 'v1alpha1', kind: 'SecurityProfileConfig', workloadIsolation: true },
]

const sections: readonly string[] = outermost([
  ...Object.values(replacedSections).flat(),
  'machine.features.hostDNS',
  'cluster.acceptedCAs',
])

/** Without those that stand below another one. */
function outermost(paths: readonly string[]): string[] {
  return [...new Set(paths)].filter(
    (path) => !paths.some((other) => other !== path && path.startsWith(`${other}.`)),
  )
}

function mergeAll(
  made: readonly ConfigDocument[],
  others: readonly ConfigDocument[],
): ConfigDocument[] {
  const merged = made.map((document) => {
    const twin = others.find((other) => isOf(document, other))
    return twin ? mergeDocuments(document, twin) : document
  })
  return [...merged, ...others.filter((other) => !made.some((each) => isOf(each, other)))]
}

function isOf(one: ConfigDocument, other: ConfigDocument): boolean {
  return sameIdentity(documentIdentity(one), documentIdentity(other))
}

/** Every value at a place that is no mapping: one that has nothing in it is no setting. */
function leavesAt(document: ConfigDocument, path: readonly string[]): string[][] {
  const value = valueAt(document, ...path)
  if (isEmpty(value)) return []
  if (!isJsonObject(value)) return [[...path]]
  return Object.keys(value).flatMap((key) => leavesAt(document, [...path, key]))
}

function withoutEmptySections(document: ConfigDocument): ConfigDocument {
  const old = new OldShape(document)
  for (const section of sections) {
    if (leavesAt(document, section.split('.')).length === 0) old.take(section)
  }
  return old.rest()
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true
  if (isList(value)) return value.length === 0
  return isJsonObject(value) && Object.values(value).every(isEmpty)
}
