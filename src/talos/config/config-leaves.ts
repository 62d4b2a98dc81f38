import { canonicalJson } from '../../lib/canonical-json.ts'
import { isJsonObject, type Json } from '../../lib/json.ts'
import { type ConfigDocument, documentIdentity } from './config-document.ts'
import { keyedList, type Path } from './merge-rules.ts'

/** One value of a config that is compared as a whole: a scalar, or a list without keys. */
export interface ConfigLeaf {
  /** Of the document that it stands in; empty for the v1alpha1 one. */
  readonly kind: string
  /** As merge-rules has it: `[]` stands for the elements of a list. */
  readonly path: Path
  readonly value: Json
}

/** Lists that the merge appends to and whose elements are known by a name all the same. */
const named: Readonly<Record<string, readonly string[]>> = {
  'machine.files': ['path'],
  'cluster.inlineManifests': ['name'],
}

/** Lists of which Talos reads no order. */
const sets: Readonly<Record<string, readonly string[]>> = {
  '': [
    'machine.certSANs',
    'machine.acceptedCAs',
    'machine.kubelet.nodeIP.validSubnets',
    'cluster.acceptedCAs',
    'cluster.apiServer.certSANs',
    'cluster.etcd.advertisedSubnets',
    'cluster.etcd.listenSubnets',
  ],
  KubeAPIServerCAConfig: ['acceptedCAs'],
  KubeAPIServerConfig: ['certExtraSANs'],
  KubeNodeConfig: ['nodeIP.validSubnets'],
}

/**
 * The values of a config by where they stand, as people write it: `machine.sysctls["vm.max_map_count"]`,
 * `LinkConfig[eth1].mtu`. What is empty says as little to Talos as what is not there, and is left out; the
 * order of documents, keys and keyed lists is forgotten.
 */
export function configLeaves(documents: readonly ConfigDocument[]): Map<string, ConfigLeaf> {
  const leaves = new Map<string, ConfigLeaf>()
  for (const document of documents) collectDocument(document, leaves)
  return leaves
}

const identityKeys = new Set(['apiVersion', 'kind', 'name'])

function collectDocument(document: ConfigDocument, leaves: Map<string, ConfigLeaf>): void {
  const { kind, name } = documentIdentity(document)
  const title = kind === '' || name === '' ? kind : `${kind}[${name}]`
  // A document that says nothing more is there all the same.
  if (kind !== '') leaves.set(unused(title, leaves), { kind, path: [], value: 'present' })
  for (const [key, value] of Object.entries(document)) {
    if (kind !== '' && identityKeys.has(key)) continue
    collect(kind, { text: title === '' ? key : title + keyText(key), path: [key], value }, leaves)
  }
}

function collect(
  kind: string,
  { text, path, value }: Child,
  leaves: Map<string, ConfigLeaf>,
): void {
  for (const child of children(kind, path, value)) {
    collect(kind, { ...child, text: text + child.text }, leaves)
  }
  const leaf = leafOf(kind, path, value)
  if (leaf !== undefined) leaves.set(unused(text, leaves), { kind, path, value: leaf })
}

interface Child {
  readonly text: string
  readonly path: Path
  readonly value: Json
}

function children(kind: string, path: Path, value: Json): Child[] {
  if (isJsonObject(value)) {
    return Object.entries(value).map(([key, each]) => ({
      text: keyText(key),
      path: [...path, key],
      value: each,
    }))
  }
  const keys = keysOf(kind, path)
  if (!isList(value) || keys === undefined) return []
  return value.map((each) => ({
    text: `[${elementName(each, keys)}]`,
    path: [...path, '[]'],
    value: each,
  }))
}

function leafOf(kind: string, path: Path, value: Json): Json | undefined {
  if (value === null || isJsonObject(value)) return undefined
  if (!isList(value)) return value
  if (value.length === 0 || keysOf(kind, path) !== undefined) return undefined
  const isSet = Object.hasOwn(sets, kind) && sets[kind]?.includes(path.join('.'))
  if (!isSet) return value
  return [...new Set(value.map(canonicalJson))].sort().map((text): Json => JSON.parse(text))
}

function keysOf(kind: string, path: Path): readonly string[] | undefined {
  return keyedList(kind, path)?.keys ?? (kind === '' ? named[path.join('.')] : undefined)
}

function elementName(element: Json, keys: readonly string[]): string {
  if (!isJsonObject(element)) return canonicalJson(element)
  const found = keys.map((key) => element[key]).find((value) => value !== undefined && value !== '')
  if (found === undefined) return '?'
  return typeof found === 'string' && /^[\w./:@-]+$/.test(found) ? found : canonicalJson(found)
}

/** Two elements of one name, which no valid config has, do not hide one another. */
function unused(text: string, taken: ReadonlyMap<string, ConfigLeaf>): string {
  let number = 1
  let candidate = text
  while (taken.has(candidate)) candidate = `${text} (${++number})`
  return candidate
}

function keyText(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}
