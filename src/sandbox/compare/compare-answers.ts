import { isJsonObject, type Json } from '../../lib/json.ts'
import type { IdMap } from './id-map.ts'
import { pairItems } from './pair-items.ts'
import { compareShapes, shapeOf } from './shape.ts'

export interface Answered {
  readonly status: number
  /** A text where it was no JSON. */
  readonly response: Json | undefined
}

export interface Difference {
  readonly about: 'code' | 'shape' | 'order'
  readonly message: string
}

/** Where an answer here differs from the recorded one: in its codes, or else in its shape and the order of its lists. */
export function compareAnswers(
  recorded: Answered,
  here: Answered,
  { ids, isPartial }: { readonly ids: IdMap; readonly isPartial: boolean },
): Difference[] {
  const [there, ours] = [codeOf(recorded), codeOf(here)]
  if (there !== ours) return [{ about: 'code', message: `${there} in the recording, ${ours} here` }]
  if (recorded.response === undefined || here.response === undefined) {
    if (recorded.response === here.response) return []
    const message = recorded.response === undefined ? 'a body here alone' : 'no body here'
    return [{ about: 'shape', message }]
  }
  const shape = compareShapes(shapeOf([recorded.response]), shapeOf([here.response]))
  const counted = isPartial ? shape.filter(({ isMissing }) => !isMissing) : shape
  return [
    ...counted.map(
      ({ at, message }): Difference => ({ about: 'shape', message: `${at || 'body'}: ${message}` }),
    ),
    ...orderDifferences(recorded.response, here.response, { ids, at: '' }),
  ]
}

/** The status, and the word by which a program knows an error: Hetzner's `error.code`, the types of GraphQL's errors. */
function codeOf({ status, response }: Answered): string {
  if (!isJsonObject(response)) return String(status)
  const { error, errors } = response
  const code = isJsonObject(error) ? error['code'] : undefined
  const types = Array.isArray(errors)
    ? errors.flatMap((one: Json) => (isJsonObject(one) ? (one['type'] ?? []) : []))
    : []
  const words = [code, ...types].filter((word) => typeof word === 'string')
  return [status, ...words].join(' ')
}

interface Place {
  readonly ids: IdMap
  readonly at: string
}

function orderDifferences(recorded: Json, here: Json, { ids, at }: Place): Difference[] {
  if (Array.isArray(recorded) && Array.isArray(here)) {
    const kind = (at.split('.').at(-1) ?? '').replaceAll('[]', '').replace(/s$/, '')
    const { known, all } = pairItems(recorded, here, ids, kind)
    const places = known.map(([, other]) => here.indexOf(other))
    const below = all.flatMap(([one, other]) =>
      orderDifferences(one, other, { ids, at: `${at}[]` }),
    )
    const turned = places.findIndex((place, index) => place < (places[index - 1] ?? 0))
    if (turned < 0) return below
    const [before, after] = known.slice(turned - 1, turned + 1).map(([item]) => nameOf(item))
    const message = `${at || 'body'}: ${before} before ${after} in the recording, after it here`
    return [{ about: 'order', message }, ...below]
  }
  if (!isJsonObject(recorded) || !isJsonObject(here)) return []
  return Object.entries(recorded).flatMap(([key, value]) => {
    const other = here[key]
    if (other === undefined) return []
    return orderDifferences(value, other, { ids, at: at === '' ? key : `${at}.${key}` })
  })
}

function nameOf(item: Json): string {
  if (!isJsonObject(item)) return JSON.stringify(item)
  const name = item['name'] ?? item['command'] ?? item['id']
  return name === undefined ? JSON.stringify(item) : String(name)
}
