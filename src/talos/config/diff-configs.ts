import { canonicalJson, jsonDigest, jsonEquals } from '../../lib/canonical-json.ts'
import type { Json } from '../../lib/json.ts'
import type { FieldChange } from '../../plan/change.ts'
import { hideSecrets, type ValueOrigin } from '../../plan/config-secrets.ts'
import { type ChangeEffect, takeUpOf } from './change-effect.ts'
import { type ConfigDocument, documentIdentity } from './config-document.ts'
import { type ConfigLeaf, configLeaves } from './config-leaves.ts'
import { isFreeForm } from './merge-rules.ts'
import type { NodeComponent } from './node-component.ts'
import { isReshaped } from './reshape/old-view.ts'
import { translateConfig } from './reshape/reshape-config.ts'

/** One field in which two machine configs differ, fit to be shown: of a secret only that it differs. */
export interface ConfigDifference extends FieldChange {
  readonly effect: ChangeEffect
  /** The components of Kubernetes on the node that restart for it. */
  readonly restarts: readonly NodeComponent[]
}

/** Longer values are told by their beginning and a digest. */
const longestShown = 160
const differentSecret = '(hidden, another one)'

/**
 * The fields in which two machine configs differ, by Talos's reading of them: the order of documents, of
 * keys and of keyed lists is nothing, nor is a number that one writes as a text. Of two of different shapes the older
 * one is read as the documents of the contract v1.14 that say the same. Sorted by path. Pure.
 */
export function diffConfigs(
  before: readonly ConfigDocument[],
  after: readonly ConfigDocument[],
  origin: ValueOrigin = 'node',
): ConfigDifference[] {
  const isNew = isReshaped(before) || isReshaped(after)
  const leavesOf = (config: readonly ConfigDocument[]) =>
    configLeaves(isNew ? inNewShape(config) : config)
  const [former, latter] = [leavesOf(before), leavesOf(after)]
  const paths = [...new Set([...former.keys(), ...latter.keys()])].sort()
  return paths.flatMap((name) => {
    const [left, right] = [former.get(name), latter.get(name)]
    const path = printable(name)
    if (left && right && sameValue(left, right)) return []
    return describeDifference(path, left, right, origin)
  })
}

function inNewShape(config: readonly ConfigDocument[]): readonly ConfigDocument[] {
  const isComplete = config.some((document) => documentIdentity(document).kind === '')
  return isReshaped(config) || !isComplete ? config : translateConfig(config)
}

/** A field that differs, fit to be shown: what takes it up, and its values without their secrets. */
export function describeDifference(
  path: string,
  left: ConfigLeaf | undefined,
  right: ConfigLeaf | undefined,
  origin: ValueOrigin,
): ConfigDifference[] {
  const leaf = left ?? right
  if (leaf === undefined) return []
  const shown = { before: show(left, origin), after: show(right, origin) }
  const { effect, restarts } = takeUpOf(leaf.kind, leaf.path)
  // What differs and must not be seen differs all the same.
  if (left && right && jsonEquals(shown.before ?? null, shown.after ?? null)) {
    return [{ path, before: shown.before, after: differentSecret, effect, restarts }]
  }
  return [{ path, ...shown, effect, restarts }]
}

/** Go reads `1` and `'1'` alike wherever a field says what it is. */
function sameValue(left: ConfigLeaf, right: ConfigLeaf): boolean {
  if (jsonEquals(left.value, right.value)) return true
  const scalars = typeof left.value !== 'object' && typeof right.value !== 'object'
  return scalars && !isFreeForm(left.kind, left.path) && String(left.value) === String(right.value)
}

function show(leaf: ConfigLeaf | undefined, origin: ValueOrigin): Json | undefined {
  if (leaf === undefined) return undefined
  const value = hideSecrets(leaf.value, origin, leaf.path)
  // What a file or a manifest holds is no field, and nobody knows what of it may be seen.
  if (typeof value === 'string' && value.includes('\n')) {
    return `(text of ${value.trimEnd().split('\n').length} lines, ${jsonDigest(value).slice(0, 8)})`
  }
  const text = typeof value === 'string' ? value : canonicalJson(value)
  if (text.length > longestShown) {
    return `${printable(text.slice(0, 60))}… (${text.length} characters, ${jsonDigest(value).slice(0, 8)})`
  }
  return typeof value === 'string' ? printable(value) : value
}

/** On one line, and without what a terminal would obey. */
function printable(text: string): string {
  return /\p{C}/u.test(text) ? JSON.stringify(text).replace(/\p{C}/gu, '\ufffd') : text
}
