import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, type Json, type JsonObject } from '../../src/lib/json.ts'

const schema: JsonObject = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../schema/cluster.schema.json'), 'utf8'),
)

/**
 * Every key of the cluster file of a cluster with Talos at Hetzner that has a value of its own, as `nodes.controlPlane.count`; of a list's elements without
 * brackets. What a key holds that the file does not name (labels, values of charts) is one with it.
 */
export function schemaKeys(): string[] {
  const keys = new Set<string>()
  collect(schema['else'], '', keys)
  return [...keys].sort()
}

function collect(node: Json | undefined, path: string, keys: Set<string>): void {
  if (!isJsonObject(node)) return
  const inner = [
    ...alternatives(node).map((each) => [each, path] as const),
    ...Object.entries(objectAt(node, 'properties')).map(
      ([key, each]) => [each, path === '' ? key : `${path}.${key}`] as const,
    ),
    ...(isJsonObject(node['items']) ? [[node['items'], path] as const] : []),
  ].filter(([each]) => isStructured(each))
  const plain = Object.entries(objectAt(node, 'properties')).filter(
    ([, each]) => !isStructured(each),
  )
  for (const [key] of plain) keys.add(path === '' ? key : `${path}.${key}`)
  for (const [each, at] of inner) collect(each, at, keys)
}

/** Whether there are keys of ours below it. */
function isStructured(node: Json | undefined): boolean {
  if (!isJsonObject(node)) return false
  return (
    Object.keys(objectAt(node, 'properties')).length > 0 ||
    isStructured(node['items']) ||
    alternatives(node).some(isStructured)
  )
}

function alternatives(node: JsonObject): readonly Json[] {
  return ['anyOf', 'oneOf', 'allOf'].flatMap((key) => {
    const each = node[key]
    return Array.isArray(each) ? each : []
  })
}

function objectAt(node: JsonObject, key: string): JsonObject {
  const value = node[key]
  return isJsonObject(value) ? value : {}
}
