import { isJsonObject, type Json } from '../lib/json.ts'
import { listAt, textAt, textsAt } from '../lib/kubernetes-object.ts'

/** Whether a LabelSelector (matchLabels and matchExpressions) chooses these labels; an empty one chooses all. */
export function selectorMatches(
  selector: Json | undefined,
  labels: Readonly<Record<string, string>>,
): boolean {
  if (selector === undefined || selector === null) return false
  const equal = Object.entries(textsAt(selector, 'matchLabels')).every(
    ([key, value]) => labels[key] === value,
  )
  return (
    equal &&
    listAt(selector, 'matchExpressions')
      .filter(isJsonObject)
      .every((expression) => expressionMatches(expression, labels))
  )
}

function expressionMatches(expression: Json, labels: Readonly<Record<string, string>>): boolean {
  const value = labels[textAt(expression, 'key') ?? '']
  const values = listAt(expression, 'values')
  switch (textAt(expression, 'operator')) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    default:
      return false
  }
}
