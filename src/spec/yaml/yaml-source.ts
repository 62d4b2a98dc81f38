import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type LineCounter,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml'
import type { Position } from '../../lib/finding.ts'

export type Path = readonly (string | number)[]

/** Knows where in the text each value stands, across anchors and merge keys. */
export class YamlSource {
  readonly #document: Document
  readonly #lines: LineCounter
  readonly #indexes = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>()

  constructor(document: Document, lines: LineCounter) {
    this.#document = document
    this.#lines = lines
  }

  /** Where the value at `path` begins, or its key; for what is missing, the nearest that holds it. */
  position(path: Path, part: 'key' | 'value'): Position {
    let node: unknown = this.#document.contents
    let found = this.nodePosition(node)
    for (const [depth, step] of path.entries()) {
      const pair = this.#step(node, step)
      if (pair === undefined) return found
      const isLast = depth === path.length - 1
      const wantsValue = isLast && part === 'value' && !isEmpty(pair.value)
      const preferred = wantsValue || pair.key === undefined ? pair.value : pair.key
      found = this.#start(preferred) ?? this.#start(pair.key) ?? found
      node = pair.value
    }
    return found
  }

  /** A scalar as it is written, without quotes: `1.30` where the value is the number 1.3. */
  written(path: Path): string | undefined {
    const target = this.#resolve(this.node(path))
    return isScalar(target) ? target.source : undefined
  }

  /** The node at `path`; undefined where there is none. */
  node(path: Path): unknown {
    let node: unknown = this.#document.contents
    for (const step of path) node = this.#step(node, step)?.value
    return node
  }

  /** What an alias stands for; every other node itself. */
  resolve(node: unknown): unknown {
    return this.#resolve(node)
  }

  /** The keys of a mapping with their values; what a merge key brings comes last and overrides nothing. */
  entries(map: YAMLMap): readonly (readonly [key: string, value: unknown])[] {
    const entries = new Map<string, unknown>()
    for (const [key, pair] of indexPairs(map)) if (key !== '<<') entries.set(key, pair.value)
    const merged = this.#resolve(indexPairs(map).get('<<')?.value)
    const sources: unknown[] = isSeq(merged) ? merged.items : [merged]
    for (const source of sources) {
      const target = this.#resolve(source)
      if (!isMap(target)) continue
      for (const [key, value] of this.entries(target))
        if (!entries.has(key)) entries.set(key, value)
    }
    return [...entries]
  }

  /** Where a node of the document begins; the beginning of the text for what has no place of its own. */
  nodePosition(node: unknown): Position {
    return this.#start(node) ?? { line: 1, column: 1 }
  }

  offsetPosition(offset: number): Position {
    const { line, col } = this.#lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }

  #step(node: unknown, step: string | number): { key?: unknown; value: unknown } | undefined {
    const target = this.#resolve(node)
    if (isSeq(target)) {
      const value = typeof step === 'number' ? target.items[step] : undefined
      return value === undefined ? undefined : { value }
    }
    return isMap(target) ? this.#pair(target, String(step)) : undefined
  }

  #pair(map: YAMLMap, key: string): Pair | undefined {
    const index = this.#indexes.get(map) ?? indexPairs(map)
    this.#indexes.set(map, index)
    const own = index.get(key)
    if (own !== undefined && key !== '<<') return own
    const merged = this.#resolve(index.get('<<')?.value)
    const sources: unknown[] = isSeq(merged) ? merged.items : [merged]
    for (const source of sources) {
      const target = this.#resolve(source)
      const pair = isMap(target) ? this.#pair(target, key) : undefined
      if (pair !== undefined) return pair
    }
    return undefined
  }

  #resolve(node: unknown): unknown {
    return isAlias(node) ? node.resolve(this.#document) : node
  }

  #start(node: unknown): Position | undefined {
    const range = isRanged(node) ? node.range : undefined
    return range ? this.offsetPosition(range[0]) : undefined
  }
}

function indexPairs(map: YAMLMap): ReadonlyMap<string, Pair> {
  return new Map(map.items.map((pair) => [keyText(pair), pair]))
}

/** The text of a pair's key; keys that are no scalars were refused when the text was parsed. */
export function keyText(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : String(pair.key)
}

function isRanged(node: unknown): node is Node {
  return typeof node === 'object' && node !== null && 'range' in node
}

function isEmpty(node: unknown): boolean {
  return node === null || (isScalar(node) && node.value === null && node.source === '')
}
