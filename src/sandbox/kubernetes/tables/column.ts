import type { Json } from '../../../lib/json.ts'
import type { KubeObject } from '../model/kube-object.ts'
import { valueAt } from '../model/read-json.ts'
import type { PrinterColumn } from '../model/resource-type.ts'

/** One column of a table; with a priority over 0 it is only shown by `-o wide`. */
export interface Column {
  readonly name: string
  readonly kind?: 'string' | 'integer'
  readonly priority?: number
  readonly cell: (object: KubeObject, now: number) => Json
}

export function ageCell({ metadata }: KubeObject, now: number): string {
  return ageOf(metadata.creationTimestamp, now)
}

/** `5s`, `3m20s`, `2h5m`, `3d`: how long ago, as kubectl writes it. */
export function ageOf(time: string | undefined, now: number): string {
  if (time === undefined || time === '') return '<unknown>'
  const seconds = Math.max(0, Math.floor((now - Date.parse(time)) / 1_000))
  if (seconds < 120) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 10) return seconds % 60 === 0 ? `${minutes}m` : `${minutes}m${seconds % 60}s`
  if (minutes < 180) return `${minutes}m`
  const hours = Math.floor(minutes / 60)
  if (hours < 8) return minutes % 60 === 0 ? `${hours}h` : `${hours}h${minutes % 60}m`
  if (hours < 48) return `${hours}h`
  const days = Math.floor(hours / 24)
  if (days < 8) return hours % 24 === 0 ? `${days}d` : `${days}d${hours % 24}h`
  return days < 730 ? `${days}d` : `${Math.floor(days / 365)}y`
}

/** The columns that a CustomResourceDefinition asks for, between name and age. */
export function customColumns(columns: readonly PrinterColumn[]): Column[] {
  const name: Column = { name: 'Name', cell: ({ metadata }) => metadata.name }
  if (columns.length === 0) return [name, { name: 'Age', cell: ageCell }]
  return [
    name,
    ...columns.map(
      ({ name: title, type, priority, jsonPath }): Column => ({
        name: title,
        priority,
        cell: (object, now) => {
          const value = readPath(object, jsonPath)
          if (type === 'date') return typeof value === 'string' ? ageOf(value, now) : null
          return value ?? null
        },
      }),
    ),
  ]
}

/** The JSONPaths of printer columns: `.a.b[0].c` and `.a[?(@.type=="x")].b`. */
export function readPath(object: KubeObject, path: string): Json | undefined {
  const steps = path.match(/\.[\w-]+|\['[^']+'\]|\[\d+\]|\[\?\([^)]*\)\]/g) ?? []
  return steps.reduce<Json | undefined>(step, object)
}

function step(value: Json | undefined, text: string): Json | undefined {
  const filter = /^\[\?\(@\.(\w+)\s*==\s*['"]([^'"]*)['"]\)\]$/.exec(text)
  if (filter) {
    const items: readonly Json[] = Array.isArray(value) ? value : []
    return items.find((item) => valueAt(item, filter[1] ?? '') === filter[2])
  }
  const index = /^\[(\d+)\]$/.exec(text)
  if (index) return valueAt(value, Number(index[1]))
  return valueAt(value, text.replace(/^\.|^\['|'\]$/g, ''))
}
