import { isJsonObject, type Json } from '../../../lib/json.ts'
import { kubeletFields } from '../../../spec/checks/kubelet-configuration.ts'
import { kubeletConfigTypes } from '../../../spec/gen/kubernetes-settings.ts'
import type { Fault } from './config-problem.ts'
import { parseDuration } from './forms/duration.ts'
import { isList } from './read-config.ts'

interface Field {
  readonly path: string
  readonly at: Fault['at']
}

/** What a type takes. Talos reads the kubelet's configuration by the kinds of JSON: a number is no text, and a text no number. */
interface ValueKind {
  readonly what: string
  readonly isGood: (value: Json) => boolean
  /** Whether there are texts of which the node alone knows if they are good, such as those that a reference stands for. */
  readonly isText?: boolean
}

const wholeNumber: ValueKind = { what: 'a whole number', isGood: Number.isInteger }
const anyNumber: ValueKind = { what: 'a number', isGood: (value) => typeof value === 'number' }

/** By their names in Go. What is not here reads itself in a way of its own: the node alone knows what it takes. */
const kinds: Readonly<Record<string, ValueKind>> = {
  bool: { what: 'true or false', isGood: (value) => typeof value === 'boolean' },
  int32: wholeNumber,
  int64: wholeNumber,
  uint: wholeNumber,
  uint16: wholeNumber,
  uint32: wholeNumber,
  uint64: wholeNumber,
  float64: anyNumber,
  string: { what: 'a text', isGood: (value) => typeof value === 'string', isText: true },
  Duration: {
    what: 'a duration',
    isGood: (value) => typeof value === 'string' && parseDuration(value) !== undefined,
    isText: true,
  },
  object: { what: 'a mapping', isGood: isJsonObject },
}

/** Values of a further configuration of the kubelet that Talos does not read: it then writes none at all. */
export function kubeletValueFaults(config: Json): Fault[] {
  return kubeletFields(config).flatMap(({ path, at, value }) => {
    // Feature gates are judged by their names too.
    if (path === 'featureGates' || !Object.hasOwn(kubeletConfigTypes, path)) return []
    return faultsOf(kubeletConfigTypes[path] ?? '', value, { path, at })
  })
}

function faultsOf(type: string, value: Json, field: Field): Fault[] {
  if (value === null) return []
  if (type.startsWith('[]')) {
    if (!isList(value)) return [faultAt(field, 'a list')]
    return value.flatMap((each, index) => faultsOf(type.slice(2), each, below(field, index)))
  }
  if (type.startsWith('map ')) {
    if (!isJsonObject(value)) return [faultAt(field, 'a mapping')]
    return Object.entries(value).flatMap(([key, each]) =>
      faultsOf(type.slice('map '.length), each, below(field, key)),
    )
  }
  const kind = Object.hasOwn(kinds, type) ? kinds[type] : undefined
  if (kind === undefined || kind.isGood(value)) return []
  return [{ ...faultAt(field, kind.what, value), ...(!kind.isText && { isNoText: true }) }]
}

function below({ path, at }: Field, step: string | number): Field {
  return { path, at: [...at, step] }
}

function faultAt({ path, at }: Field, what: string, value?: Json): Fault {
  return {
    at,
    message: `the kubelet's configuration takes ${what} in ${path}`,
    hint: hintFor(what, value),
  }
}

function hintFor(what: string, value: Json | undefined): string {
  if (what === 'a text' && typeof value !== 'object') return 'Write it in quotes.'
  const isQuoted =
    (what.endsWith('number') && typeof value === 'string' && /^-?\d+$/.test(value)) ||
    (what === 'true or false' && (value === 'true' || value === 'false'))
  if (isQuoted) return 'Write it without quotes.'
  return `Write ${what}${what === 'a duration' ? ', such as 90s or 1h30m' : ''}.`
}
