import type { Json, JsonObject } from '../../../lib/json.ts'
import { badRequest } from './api-error.ts'
import { objectsAt, textAt, textMapAt, textsAt, valueAt } from './read-json.ts'

export type Labels = Readonly<Record<string, string>>
export type LabelTest = (labels: Labels) => boolean

/** A `labelSelector` parameter: `a=b,c!=d,e,!f,g in (h,i),j notin (k)`. Throws 400 on nonsense. */
export function parseLabelSelector(text: string): LabelTest {
  const tests = splitOutsideParentheses(text).map(parseRequirement)
  return (labels) => tests.every((test) => test(labels))
}

function parseRequirement(part: string): LabelTest {
  const set = /^\s*([^\s!=]+)\s+(in|notin)\s+\(([^)]*)\)\s*$/.exec(part)
  if (set) {
    const values = (set[3] ?? '').split(',').map((value) => value.trim())
    return requirement(set[1] ?? '', set[2] === 'in' ? 'In' : 'NotIn', values)
  }
  const equality = /^\s*([^\s!=]+)\s*(==|=|!=)\s*([^\s=]*)\s*$/.exec(part)
  if (equality) {
    return requirement(equality[1] ?? '', equality[2] === '!=' ? 'NotIn' : 'In', [
      equality[3] ?? '',
    ])
  }
  const existence = /^\s*(!?)\s*([A-Za-z0-9][\w./-]*)\s*$/.exec(part)
  if (!existence) throw badRequest(`unable to parse requirement: found '${part}'`)
  return requirement(existence[2] ?? '', existence[1] === '!' ? 'DoesNotExist' : 'Exists', [])
}

function splitOutsideParentheses(text: string): string[] {
  return text.split(/,(?![^(]*\))/).filter((part) => part.trim() !== '')
}

function requirement(key: string, operator: string, values: readonly string[]): LabelTest {
  switch (operator) {
    case 'In':
      return (labels) => labels[key] !== undefined && values.includes(labels[key])
    case 'NotIn':
      return (labels) => labels[key] === undefined || !values.includes(labels[key])
    case 'Exists':
      return (labels) => labels[key] !== undefined
    case 'DoesNotExist':
      return (labels) => labels[key] === undefined
    case 'Gt':
      return (labels) => Number(labels[key]) > Number(values[0])
    case 'Lt':
      return (labels) => Number(labels[key]) < Number(values[0])
    default:
      return () => false
  }
}

/** A LabelSelector object of a spec. An empty one selects everything; none at all, nothing. */
export function matchesSelector(selector: Json | undefined, labels: Labels): boolean {
  if (selector === undefined || selector === null) return false
  const equal = Object.entries(textMapAt(selector, 'matchLabels'))
  return (
    equal.every(([key, value]) => labels[key] === value) &&
    matchesExpressions(objectsAt(selector, 'matchExpressions'), labels)
  )
}

/** Expressions as label selectors and node affinities have them. */
export function matchesExpressions(expressions: readonly JsonObject[], labels: Labels): boolean {
  return expressions.every((expression) =>
    requirement(
      textAt(expression, 'key'),
      textAt(expression, 'operator'),
      textsAt(expression, 'values'),
    )(labels),
  )
}

/** A `fieldSelector` parameter: `a.b=c,d!=e` over the object's own fields; an absent one is empty. */
export function parseFieldSelector(text: string): (object: JsonObject) => boolean {
  const tests = text
    .split(',')
    .filter((part) => part !== '')
    .map((part) => {
      const found = /^([\w.]+)(==|=|!=)(.*)$/.exec(part)
      if (!found) throw badRequest(`invalid field selector "${part}"`)
      const path = (found[1] ?? '').split('.')
      return { path, wanted: found[3] ?? '', equal: found[2] !== '!=' }
    })
  return (object) =>
    tests.every(({ path, wanted, equal }) => (fieldText(object, path) === wanted) === equal)
}

function fieldText(object: JsonObject, path: readonly string[]): string {
  const value = valueAt(object, ...path)
  if (path.join('.') === 'spec.unschedulable') return String(value === true)
  return value === undefined || value === null ? '' : String(value)
}
