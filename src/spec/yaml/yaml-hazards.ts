import { type Document, isAlias, isMap, isScalar, isSeq, type YAMLMap } from 'yaml'
import type { Finding } from '../../lib/finding.ts'
import { quoteValue } from '../quote-value.ts'
import { keyText, type YamlSource } from './yaml-source.ts'

/** Far beyond any cluster file, and soon reached by nested aliases that multiply (an alias bomb). */
const mostValues = 100_000
const deepestNesting = 60

/**
 * What is valid YAML and no good in a cluster file: keys that appear twice, values that JSON cannot
 * carry, anchors that hold themselves or multiply, nesting without end. Where it is fatal, the document
 * must not be turned into values.
 */
export function findYamlHazards(
  document: Document,
  source: YamlSource,
): { readonly findings: readonly Finding[]; readonly fatal: boolean } {
  const walk = new HazardWalk(document, source)
  walk.measure(document.contents, 0)
  return { findings: walk.findings, fatal: walk.fatal }
}

class HazardWalk {
  readonly findings: Finding[] = []
  fatal = false
  readonly #document: Document
  readonly #source: YamlSource
  /** How many values a node stands for, its aliases followed; `open` while it is being counted. */
  readonly #sizes = new Map<unknown, number | 'open'>()

  constructor(document: Document, source: YamlSource) {
    this.#document = document
    this.#source = source
  }

  /** Walks below `node` once and returns how many values it stands for. */
  measure(node: unknown, depth: number): number {
    if (isAlias(node)) return this.#measureAlias(node, depth)
    if (isScalar(node)) return this.#measureScalar(node)
    if (!isMap(node) && !isSeq(node)) return 1
    if (depth > deepestNesting) {
      return this.#refuse(
        node,
        'this value is nested too deeply',
        'Check the brackets and the indentation.',
      )
    }
    const known = this.#sizes.get(node)
    if (typeof known === 'number') return known
    this.#sizes.set(node, 'open')
    if (isMap(node)) this.#checkKeys(node)
    const children = isMap(node) ? node.items.map((pair) => pair.value) : node.items
    let size = 1
    for (const child of children) size += this.measure(child, depth + 1)
    if (size > mostValues) {
      size = this.#refuse(
        node,
        `this value stands for more than ${mostValues} values, its aliases followed`,
        'Use fewer aliases within anchors.',
      )
    }
    this.#sizes.set(node, size)
    return size
  }

  #measureAlias(alias: { source: string; resolve(doc: Document): unknown }, depth: number): number {
    const target = alias.resolve(this.#document)
    const name = quoteValue(`*${alias.source}`)
    if (target === undefined) {
      return this.#refuse(
        alias,
        `the alias ${name} has no anchor before it`,
        `Write &${alias.source} before the value that is meant.`,
      )
    }
    if (this.#sizes.get(target) === 'open') {
      return this.#refuse(
        alias,
        `the alias ${name} stands within its own anchor`,
        'Write the value out.',
      )
    }
    return this.measure(target, depth)
  }

  #measureScalar(scalar: { value: unknown }): number {
    const { value } = scalar
    if (typeof value === 'number' && !Number.isFinite(value)) {
      return this.#report(
        scalar,
        'this is not a finite number',
        'Write a number, or a text in quotes.',
      )
    }
    if (typeof value === 'bigint' || (typeof value === 'object' && value !== null)) {
      return this.#refuse(
        scalar,
        'this value is of a kind that has no use here',
        'Write a text, a number, true or false.',
      )
    }
    if (typeof value === 'string' && !value.isWellFormed()) {
      return this.#report(scalar, 'this text holds half a character', 'Check its \\u escapes.')
    }
    return 1
  }

  #checkKeys(map: YAMLMap): void {
    const seen = new Map<string, unknown>()
    for (const pair of map.items) {
      const key = keyText(pair)
      const first = seen.get(key)
      if (key === '__proto__')
        this.#refuse(pair.key, 'this is no key for a cluster file', 'Remove it.')
      if (first !== undefined) this.#refuseTwice(key, first, pair.key)
      else seen.set(key, pair.key)
    }
  }

  #refuseTwice(key: string, first: unknown, second: unknown): void {
    const { line } = this.#source.nodePosition(first)
    this.#report(
      second,
      `the key ${quoteValue(key)} appears twice in one mapping, first on line ${line}`,
      'Keep one of them.',
    )
  }

  /** Reports a value that cannot be, and counts it as one. */
  #refuse(node: unknown, message: string, hint: string): number {
    this.fatal = true
    return this.#report(node, message, hint)
  }

  #report(node: unknown, message: string, hint: string): number {
    const position = this.#source.nodePosition(node)
    this.findings.push({ severity: 'error', path: [], message, hint, position })
    return 1
  }
}
