import { ClusterError } from '../../lib/cluster-error.ts'
import { isJsonObject, type Json } from '../../lib/json.ts'
import { applyJsonPatch, JsonPatchProblem } from '../../lib/json-patch.ts'
import {
  type ConfigDocument,
  describeIdentity,
  documentIdentity,
  sameIdentity,
} from './config-document.ts'
import { settleDocument } from './config-documents.ts'
import { deleteFromDocument } from './delete-from-document.ts'
import { mergeDocuments } from './merge-documents.ts'
import { type Deletion, type PatchDocument, parsePatch } from './parse-patch.ts'
import { PatchProblem } from './patch-problem.ts'
import { YamlProblem } from './yaml-documents.ts'

/** A patch as the user wrote it: a strategic merge patch, or a JSON patch. */
export interface ConfigPatch {
  readonly text: string
  /** Where it stands in the cluster file: `talos.patches[0]`. */
  readonly source: string
}

/**
 * What of patches is merged: what they say of the machine config itself (the v1alpha1 document), or their further
 * documents, as Talos 1.14 does.
 */
export type PatchPart = 'all' | 'machine config' | 'documents'

/**
 * The config with the patches merged into it, in order, by Talos's own rules: documents of the same
 * identity are merged, others are added, `$patch: delete` takes out. A JSON patch changes the machine
 * config itself; Talos takes one only where that is the sole document, and does the same there. Throws `spec-invalid` with the
 * patch's place, and the PatchProblem as its cause, when one of them is no patch or does not fit.
 */
export function applyPatches(
  config: readonly ConfigDocument[],
  patches: readonly ConfigPatch[],
  part: PatchPart = 'all',
): readonly ConfigDocument[] {
  return patches.reduce((documents, patch) => applyPatch(documents, patch, part), config)
}

function applyPatch(
  config: readonly ConfigDocument[],
  { text, source }: ConfigPatch,
  part: PatchPart,
): readonly ConfigDocument[] {
  try {
    const patch = parsePatch(text)
    if ('operations' in patch) {
      return part === 'documents' ? config : applyOperations(config, patch.operations)
    }
    return patch
      .filter(
        ({ identity }) => part === 'all' || (identity.kind === '') === (part === 'machine config'),
      )
      .reduce((documents, each) => applyDocument(documents, each, part), config)
  } catch (error) {
    if (!(error instanceof PatchProblem || error instanceof YamlProblem)) throw error
    throw new ClusterError('spec-invalid', `${source}: ${error.message}`, {
      operation: 'merge a patch into a machine config',
      target: source,
      cause: error,
    })
  }
}

function applyOperations(
  config: readonly ConfigDocument[],
  operations: readonly Json[],
): readonly ConfigDocument[] {
  const index = config.findIndex((document) => documentIdentity(document).kind === '')
  try {
    const patched = applyJsonPatch(config[index] ?? {}, operations)
    if (!isJsonObject(patched)) throw new Error('a JSON patch left no machine config')
    return config.with(index, settleDocument(patched))
  } catch (error) {
    if (!(error instanceof JsonPatchProblem)) throw error
    throw new PatchProblem(`operation ${error.index + 1}: ${error.message}`, {
      at: [String(error.index)],
    })
  }
}

function applyDocument(
  config: readonly ConfigDocument[],
  patch: PatchDocument,
  part: PatchPart,
): readonly ConfigDocument[] {
  const cut = patch.deletions.reduce(
    (documents, deletion) => applyDeletion(documents, patch, deletion),
    config,
  )
  const { merge } = patch
  if (merge === undefined) return cut
  const index = indexOf(cut, patch)
  const existing = cut[index]
  if (existing === undefined) return [...cut, merge]
  const left = part === 'documents' ? withoutReplaced(existing, merge) : existing
  return cut.with(index, mergeDocuments(left, merge))
}

/** Talos 1.14 replaces the search domains, to which every Talos before it appends. */
function withoutReplaced(
  existing: ConfigDocument,
  { kind, searchDomains }: ConfigDocument,
): ConfigDocument {
  const former = existing['searchDomains']
  const isReplaced =
    kind === 'ResolverConfig' &&
    isJsonObject(searchDomains) &&
    Array.isArray(searchDomains['domains'])
  if (!isReplaced || !isJsonObject(former)) return existing
  const { domains: _, ...others } = former
  return { ...existing, searchDomains: others }
}

function applyDeletion(
  config: readonly ConfigDocument[],
  patch: PatchDocument,
  deletion: Deletion,
): readonly ConfigDocument[] {
  const { identity } = patch
  const index = indexOf(config, patch)
  const existing = config[index]
  if (deletion.path.length === 0) {
    if (identity.kind === '') throw new PatchProblem('the machine config itself cannot be deleted')
    // machinery 1.13.0 breaks the config when the document is not there; nothing to do is right.
    return existing === undefined ? config : config.toSpliced(index, 1)
  }
  if (existing === undefined) {
    throw new PatchProblem(`nothing to delete: there is no ${describeIdentity(identity)}`)
  }
  return config.with(index, deleteFromDocument(existing, identity.kind, deletion))
}

function indexOf(config: readonly ConfigDocument[], { identity }: PatchDocument): number {
  return config.findIndex((document) => sameIdentity(documentIdentity(document), identity))
}
