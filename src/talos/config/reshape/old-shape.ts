import { isJsonObject, type Json, type JsonObject } from '../../../lib/json.ts'
import type { ConfigDocument } from '../config-document.ts'
import { isList, valueAt } from '../validate/read-config.ts'

/**
 * A v1alpha1 document from which settings are taken one by one, for documents of their own. What nobody took is what
 * has no place there.
 */
export class OldShape {
  readonly #document: ConfigDocument
  readonly #taken: (readonly string[])[] = []

  constructor(document: ConfigDocument) {
    this.#document = document
  }

  /** A setting without taking it. Null is how Go reads a key without a value: undefined here. */
  see(path: string): Json | undefined {
    return this.#at(path.split('.'))
  }

  /** The same of a free key, which may hold dots. */
  seeKey(path: string, key: string): Json | undefined {
    return this.#at([...path.split('.'), key])
  }

  take(path: string): Json | undefined {
    this.#taken.push(path.split('.'))
    return this.see(path)
  }

  takePath(path: readonly string[]): void {
    this.#taken.push(path)
  }

  takeKey(path: string, key: string): Json | undefined {
    this.#taken.push([...path.split('.'), key])
    return this.seeKey(path, key)
  }

  /** Takes a setting that would mean the same left out: with any other value it stays. */
  drop(path: string, value: Json): void {
    if (this.see(path) === value) this.take(path)
  }

  takeText(path: string): string | undefined {
    const value = this.take(path)
    return value === undefined || typeof value === 'object' ? undefined : String(value)
  }

  takeObject(path: string): JsonObject | undefined {
    const value = this.take(path)
    return isJsonObject(value) ? value : undefined
  }

  takeList(path: string): readonly Json[] | undefined {
    const value = this.take(path)
    return isList(value) ? value : undefined
  }

  takeFlag(path: string): boolean | undefined {
    const value = this.take(path)
    return typeof value === 'boolean' ? value : undefined
  }

  /** The document without what was taken, and without what has nothing left in it. */
  rest(): ConfigDocument {
    return this.#taken.reduce(without, this.#document)
  }

  #at(path: readonly string[]): Json | undefined {
    return valueAt(this.#document, ...path) ?? undefined
  }
}

function without(object: JsonObject, [key = '', ...below]: readonly string[]): JsonObject {
  if (!Object.hasOwn(object, key)) return object
  const { [key]: value, ...others } = object
  if (below.length === 0) return others
  if (!isJsonObject(value)) return object
  const left = without(value, below)
  return Object.keys(left).length > 0 ? { ...object, [key]: left } : others
}
