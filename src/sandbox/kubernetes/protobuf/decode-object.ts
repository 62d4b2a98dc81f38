import { BinaryReader } from '@bufbuild/protobuf/wire'
import type { Json, JsonObject } from '../../../lib/json.ts'
import { ApiError } from '../model/api-error.ts'
import { messageFields } from './message-fields.ts'

/** How a body in Kubernetes's protobuf form begins. */
const magic = Buffer.from('k8s\0')

interface Field {
  readonly name: string
  readonly type: string
  /** Written only when it was set. */
  readonly optional: boolean
}

const messages = new Map(
  messageFields
    .trim()
    .replaceAll(/\n\s+/g, ' ')
    .split('\n')
    .map((line) => {
      const colon = line.indexOf(':')
      return [
        line.slice(0, colon),
        new Map(
          line
            .slice(colon + 1)
            .trim()
            .split(' ')
            .map(parseField),
        ),
      ]
    }),
)

function parseField(text: string): [number, Field] {
  const [, name = '', type = 's', mark = '', number = '0'] =
    /^(\w+)(?::([^!=]+))?(!?)=(\d+)$/.exec(text) ?? []
  return [Number(number), { name, type, optional: mark === '!' }]
}

export function isProtobuf(body: Buffer): boolean {
  return body.subarray(0, magic.length).equals(magic)
}

/**
 * The object in a protobuf body, as the JSON that it stands for. Throws 415 for kinds and fields that
 * the table does not have, rather than to lose them.
 */
export function decodeObject(body: Buffer): JsonObject {
  const envelope = new BinaryReader(body.subarray(magic.length))
  let [apiVersion, kind, raw]: [string, string, Uint8Array] = ['', '', new Uint8Array()]
  while (envelope.pos < envelope.len) {
    const [number, wire] = envelope.tag()
    if (number === 1) [apiVersion, kind] = readTypeMeta(envelope.bytes())
    else if (number === 2) raw = envelope.bytes()
    else envelope.skip(wire)
  }
  return { apiVersion, kind, ...readMessage(kind, raw) }
}

function readTypeMeta(bytes: Uint8Array): [string, string] {
  const texts = new Map<number, string>()
  const reader = new BinaryReader(bytes)
  while (reader.pos < reader.len) {
    const [number] = reader.tag()
    texts.set(number, reader.string())
  }
  return [texts.get(1) ?? '', texts.get(2) ?? '']
}

function readMessage(name: string, bytes: Uint8Array): JsonObject {
  const fields = messages.get(name)
  if (!fields) throw unsupported(`messages of type ${name}`)
  const reader = new BinaryReader(bytes)
  const object: Record<string, Json> = {}
  while (reader.pos < reader.len) {
    const [number] = reader.tag()
    const field = fields.get(number)
    if (!field) throw unsupported(`field ${number} of ${name}`)
    const value = readField(reader, field.type, object[field.name])
    if (field.optional || !isEmpty(value)) object[field.name] = value
  }
  return object
}

function readField(reader: BinaryReader, type: string, before: Json | undefined): Json {
  if (type.startsWith('[]')) {
    const items: Json[] = Array.isArray(before) ? before : []
    return [...items, readValue(reader, type.slice(2))]
  }
  if (type.startsWith('{')) {
    const entry = readEntry(new BinaryReader(reader.bytes()), type.slice(1, -1))
    return { ...(before !== undefined && typeof before === 'object' ? before : {}), ...entry }
  }
  return readValue(reader, type)
}

function readEntry(reader: BinaryReader, type: string): JsonObject {
  let [key, value]: [string, Json] = ['', '']
  while (reader.pos < reader.len) {
    const [number] = reader.tag()
    if (number === 1) key = reader.string()
    else value = readValue(reader, type)
  }
  return { [key]: value }
}

function readValue(reader: BinaryReader, type: string): Json {
  switch (type) {
    case 's':
      return reader.string()
    case 'n':
      return Number(reader.int64())
    case 'b':
      return reader.bool()
    case 'y':
      return Buffer.from(reader.bytes()).toString('base64')
    case 't':
      return readTime(reader.bytes())
    case 'q':
      return String(readParts(reader.bytes()).get(1) ?? '')
    case 'i': {
      const parts = readParts(reader.bytes())
      return parts.get(1) === 1 ? (parts.get(3) ?? '') : (parts.get(2) ?? 0)
    }
    case 'j': {
      const fields: Json = JSON.parse(String(readParts(reader.bytes()).get(1) ?? '{}'))
      return fields
    }
    default:
      return readMessage(type, reader.bytes())
  }
}

/** A small message as its numbers and texts. */
function readParts(bytes: Uint8Array): Map<number, number | string> {
  const reader = new BinaryReader(bytes)
  const parts = new Map<number, number | string>()
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag()
    parts.set(number, wire === 2 ? reader.string() : Number(reader.int64()))
  }
  return parts
}

function readTime(bytes: Uint8Array): string {
  const seconds = Number(readParts(bytes).get(1) ?? 0)
  return seconds === 0 ? '' : new Date(seconds * 1_000).toISOString().replace(/\.\d+Z$/, 'Z')
}

function isEmpty(value: Json): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return value === '' || value === 0 || value === false
}

function unsupported(what: string): ApiError {
  const message = `the sandbox does not read ${what} as protobuf; it reads every kind as JSON`
  return new ApiError(415, 'UnsupportedMediaType', message)
}
