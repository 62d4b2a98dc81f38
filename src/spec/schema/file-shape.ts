import { z } from 'zod'
import { isJsonObject, type JsonObject } from '../../lib/json.ts'
import type { Path } from '../yaml/yaml-source.ts'

/** The JSON Schema (draft 7) of a form of file, for editors and for our own messages. */
export function jsonSchemaOf(form: z.ZodType): JsonObject {
  const schema: unknown = z.toJSONSchema(form, { io: 'input', target: 'draft-7' })
  if (!isJsonObject(schema)) throw new Error('a JSON Schema is an object')
  return schema
}

/** Which fields a form of file has, and where: for messages about names that it does not know. */
export class FileShape {
  readonly #form: z.ZodType
  #root: JsonObject | undefined
  #pathsByName: ReadonlyMap<string, string[][]> | undefined

  constructor(form: z.ZodType) {
    this.#form = form
  }

  /** The names of the fields that the mapping at `path` may have; empty where any key goes. */
  fieldsAt(path: Path): string[] {
    const found = path.reduce<JsonObject[]>(
      (shapes, step) => shapes.flatMap((shape) => childShapes(shape, step)),
      alternatives(this.#shape()),
    )
    return [...new Set(found.flatMap((shape) => Object.keys(properties(shape))))]
  }

  /** Where in the file a field of this name stands, the shallowest first. */
  pathsOfField(name: string): string[][] {
    this.#pathsByName ??= indexFields(this.#shape())
    return this.#pathsByName.get(name) ?? []
  }

  #shape(): JsonObject {
    this.#root ??= jsonSchemaOf(this.#form)
    return this.#root
  }
}

function indexFields(root: JsonObject): Map<string, string[][]> {
  const found: string[][] = []
  const visit = (shape: JsonObject, path: string[]) => {
    for (const alternative of alternatives(shape)) {
      for (const [key, child] of Object.entries(properties(alternative))) {
        found.push([...path, key])
        if (isJsonObject(child)) visit(child, [...path, key])
      }
    }
  }
  visit(root, [])
  const shallowFirst = found.sort((a, b) => a.length - b.length)
  return Map.groupBy(shallowFirst, (path) => path.at(-1) ?? '')
}

function childShapes(shape: JsonObject, step: string | number): JsonObject[] {
  const { items, additionalProperties } = shape
  const child = typeof step === 'number' ? items : (properties(shape)[step] ?? additionalProperties)
  return isJsonObject(child) ? alternatives(child) : []
}

function alternatives(shape: JsonObject): JsonObject[] {
  const branches = shape['anyOf'] ?? shape['oneOf']
  if (!Array.isArray(branches)) return [shape]
  return branches.flatMap((branch) => (isJsonObject(branch) ? alternatives(branch) : []))
}

function properties(shape: JsonObject): JsonObject {
  const found = shape['properties']
  return isJsonObject(found) ? found : {}
}
