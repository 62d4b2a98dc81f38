import { Document, isMap, isScalar, isSeq, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import { resolveGoScalar } from '../../lib/go-scalar.ts'
import type { YamlSource } from './yaml-source.ts'

/**
 * A part of a cluster file as a YAML text of its own, each value spelled as it is in the file: 0644 and 1.10
 * are still that, whatever they would be as numbers. Aliases and merge keys are written out.
 */
export function spelledText(node: unknown, source: YamlSource): string {
  const document = new Document(undefined, { schema: 'failsafe' })
  document.contents = document.createNode(spelled(node, source))
  return document.toString({ lineWidth: 0 })
}

function spelled(written: unknown, source: YamlSource): Scalar | YAMLMap | YAMLSeq {
  const node = source.resolve(written)
  if (isMap(node)) {
    const map = new YAMLMap()
    map.items = source
      .entries(node)
      .map(([key, value]) => new Pair(spelledString(key), spelled(value, source)))
    return map
  }
  if (isSeq(node)) {
    const list = new YAMLSeq()
    list.items = node.items.map((item) => spelled(item, source))
    return list
  }
  if (!isScalar(node)) return plain('~')
  if (node.type !== 'PLAIN') return spelledString(String(node.value ?? ''))
  return plain(node.source || '~')
}

/** Quoted where it would be something else without. */
function spelledString(text: string): Scalar {
  const scalar = new Scalar(text)
  if (resolveGoScalar(text).is !== 'text') scalar.type = 'QUOTE_DOUBLE'
  return scalar
}

function plain(text: string): Scalar {
  const scalar = new Scalar(text)
  scalar.type = 'PLAIN'
  return scalar
}
