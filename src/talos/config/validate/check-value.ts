import { isJsonObject, type Json } from '../../../lib/json.ts'
import { nearestName } from '../../../spec/nearest-name.ts'
import { checkScalar } from './check-scalar.ts'
import type { ConfigPath, Fault } from './config-problem.ts'
import { describeMinors } from './describe-minors.ts'
import { describeShape } from './describe-shape.ts'
import { fieldsOf, isStruct, minorsOfField, newestKnownMinor } from './known-fields.ts'
import { isList } from './read-config.ts'

/**
 * Whether Talos of a minor reads this value where it expects one of a kind: fields that it does not know,
 * and values of a wrong type or form, are faults. Kinds are those of the table of fields.
 */
export function checkValue(kind: string, value: Json, at: ConfigPath, minor: number): Fault[] {
  // Nothing is how Go reads a key without a value: not set.
  if (value === null || kind === 'any') return []
  if (kind.startsWith('[]')) return checkList(kind.slice(2), value, at, minor)
  if (kind.startsWith('{}')) return checkMap(kind.slice(2), value, at, minor)
  if (isStruct(kind)) return checkStruct(kind, value, at, minor)
  const message = checkScalar(kind, value, minor)
  return message === undefined ? [] : [{ at, ...message }]
}

function checkList(kind: string, value: Json, at: ConfigPath, minor: number): Fault[] {
  if (!isList(value))
    return [{ at, message: `must be a list, but is ${describeShape(value)}`, isNoText: true }]
  return value.flatMap((each, index) => checkValue(kind, each, [...at, index], minor))
}

function checkMap(kind: string, value: Json, at: ConfigPath, minor: number): Fault[] {
  if (!isJsonObject(value))
    return [{ at, message: `must be a mapping, but is ${describeShape(value)}`, isNoText: true }]
  return Object.entries(value).flatMap(([key, each]) => checkValue(kind, each, [...at, key], minor))
}

function checkStruct(kind: string, value: Json, at: ConfigPath, minor: number): Fault[] {
  if (!isJsonObject(value))
    return [{ at, message: `must be a mapping, but is ${describeShape(value)}`, isNoText: true }]
  const fields = fieldsOf(kind, minor)
  return Object.entries(value).flatMap(([key, each]) => {
    const field = fields.get(key)
    if (field === undefined) return [unknownField(kind, key, at, minor)]
    return checkValue(field, each, [...at, key], minor)
  })
}

/** A field that a newer Talos than the tables may well have is worth a warning only. */
function unknownField(kind: string, key: string, at: ConfigPath, minor: number): Fault {
  const { hint, isUnheardOf } = explainUnknown(kind, key, minor)
  const fault = { at: [...at, key], hint, isUnheardOf }
  if (minor <= newestKnownMinor)
    return { ...fault, message: `is no field that Talos 1.${minor} knows` }
  const newest = `Talos 1.${newestKnownMinor}, the newest that is known here`
  return {
    ...fault,
    message: `is no field of ${newest}; whether 1.${minor} has it is known only to the node`,
    isWarning: true,
  }
}

function explainUnknown(
  kind: string,
  key: string,
  minor: number,
): { hint: string; isUnheardOf: boolean } {
  const elsewhere = minorsOfField(kind, key)
  if (elsewhere !== undefined) {
    return {
      hint: `Remove it: only Talos ${describeMinors(elsewhere)} has it.`,
      isUnheardOf: false,
    }
  }
  const names = [...fieldsOf(kind, minor).keys()]
  const near = nearestName(key, names)
  if (near !== undefined) return { hint: `Did you mean ${near}?`, isUnheardOf: false }
  const hint =
    names.length === 0 ? 'Remove it: there are no fields here.' : `Use one of ${names.join(', ')}.`
  return { hint, isUnheardOf: true }
}
