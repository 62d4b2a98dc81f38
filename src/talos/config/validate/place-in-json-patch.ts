import { isJsonObject, type Json } from '../../../lib/json.ts'
import type { ConfigPath, ConfigPlace } from './config-problem.ts'
import { isList, textAt, valueAt } from './read-config.ts'

/**
 * Where in a JSON patch something of the machine config stands that came out of it: the operation whose
 * path leads nearest to it, the last of these, and as much of its value as is meant. Empty for all of it.
 */
export function placeInJsonPatch(
  operations: readonly Json[],
  places: readonly ConfigPlace[],
): ConfigPath {
  const candidates = places
    .filter(({ kind }) => kind === '')
    .flatMap(({ path }) =>
      operations.map((operation, index) => ({
        index,
        operation,
        path,
        depth: depthOf(operation, path),
      })),
    )
  const deepest = Math.max(0, ...candidates.map(({ depth }) => depth))
  const found = candidates.findLast(({ depth }) => depth > 0 && depth === deepest)
  if (found === undefined) return []
  const { index, operation, path } = found
  const below = path.slice(pointerOf(operation).length)
  const inside = existing(valueAt(operation, 'value'), below)
  return inside.length > 0 ? [index, 'value', ...inside] : [index]
}

/** How many steps an operation goes towards a place; 0 where it leads elsewhere. */
function depthOf(operation: Json, path: ConfigPath): number {
  const pointer = pointerOf(operation)
  const common = Math.min(pointer.length, path.length)
  const isOnTheWay = pointer
    .slice(0, common)
    .every((step, index) => isStep(step, path[index] ?? ''))
  return isOnTheWay ? common : 0
}

/** An index says where an element was at that moment, so that any index will do. */
function isStep(written: string, step: string | number): boolean {
  return typeof step === 'number' ? /^(-|\d+)$/.test(written) : written === step
}

function pointerOf(operation: Json): string[] {
  const [, ...steps] = textAt(operation, 'path').split('/')
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** As much of a path as a value has. */
function existing(value: Json | undefined, path: ConfigPath): ConfigPath {
  const [step, ...rest] = path
  if (step === undefined) return []
  const child = typeof step === 'number' ? elementAt(value, step) : memberAt(value, step)
  return child === undefined ? [] : [step, ...existing(child, rest)]
}

function elementAt(value: Json | undefined, index: number): Json | undefined {
  return isList(value) ? value[index] : undefined
}

function memberAt(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}
