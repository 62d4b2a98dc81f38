import { anything, type ListKey, type Schema, type StructSchema } from './schema.ts'

const scalars: Readonly<Record<string, Schema>> = {
  s: { kind: 'string' },
  n: { kind: 'number' },
  b: { kind: 'boolean' },
  q: { kind: 'scalar' },
  '?': anything,
}

/**
 * Reads a table of types. One type is `Name: field field:type ...` (indented lines go on); a type is
 * `s` text (also where none is given), `n` number, `b` boolean, `q` quantity or number-or-text, `?`
 * anything, `{T}` a map, `[]T` an atomic list, `[=]T` a set, `[key,key=fallback]T` a list keyed by
 * those fields, or a type's name; `!` behind it means that it is owned as a whole.
 */
export function parseSchemas(...tables: readonly string[]): (name: string) => StructSchema {
  const lines = new Map<string, string>()
  for (const table of tables) {
    for (const line of table.trim().replaceAll(/\n\s+/g, ' ').split('\n')) {
      const colon = line.indexOf(':')
      lines.set(line.slice(0, colon), line.slice(colon + 1).trim())
    }
  }
  const read = new Map<string, Schema>()
  return (name) => {
    const schema = named(name)
    if (schema.kind !== 'struct') throw new Error(`${name} is no struct`)
    return schema
  }

  function named(name: string): Schema {
    const known = read.get(name)
    if (known) return known
    const line = lines.get(name)
    if (line === undefined) throw new Error(`no type ${name}`)
    const schema = line.startsWith('=') ? parseType(line.slice(1)) : struct(line)
    read.set(name, schema)
    return schema
  }

  function struct(line: string): StructSchema {
    const fields = new Map<string, Schema>()
    for (const part of line.split(' ').filter((text) => text !== '')) {
      const colon = part.indexOf(':')
      const [name, type] = colon < 0 ? [part, 's'] : [part.slice(0, colon), part.slice(colon + 1)]
      fields.set(name, parseType(type))
    }
    return { kind: 'struct', fields, atomic: false }
  }

  function parseType(text: string): Schema {
    const scalar = scalars[text]
    if (scalar) return scalar
    if (text.startsWith('[')) return list(text)
    const atomic = text.endsWith('!')
    const body = atomic ? text.slice(0, -1) : text
    if (body.startsWith('{')) return { kind: 'map', value: parseType(body.slice(1, -1)), atomic }
    const schema = named(body)
    return atomic && schema.kind === 'struct' ? { ...schema, atomic: true } : schema
  }

  function list(text: string): Schema {
    const end = text.indexOf(']')
    const item = parseType(text.slice(end + 1))
    const inner = text.slice(1, end)
    if (inner === '') return { kind: 'list', item, mode: 'atomic', keys: [] }
    if (inner === '=') return { kind: 'list', item, mode: 'set', keys: [] }
    return { kind: 'list', item, mode: 'map', keys: inner.split(',').map(listKey) }
  }
}

function listKey(text: string): ListKey {
  const [name = '', fallback] = text.split('=')
  return fallback === undefined ? { name } : { name, fallback }
}
