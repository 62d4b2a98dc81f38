import { canonicalJson } from '../lib/canonical-json.ts'
import type { Json } from '../lib/json.ts'
import type { Action, Change } from './change.ts'
import { nameRange } from './name-range.ts'
import type { Cost, Verb } from './plan.ts'
import { isKnownAfter, kindTraits } from './record.ts'

/** The sign of an action, as readers of plans know it. */
export const actionSigns: Record<Action, string> = {
  create: '+',
  update: '~',
  replace: '±',
  delete: '-',
}

/** `server demo-workers-1`: what a change is about, in words. */
export function subjectOf(change: Change): string {
  const record = change.after ?? change.before
  return record ? `${kindTraits[record.kind].words} ${record.name}` : change.key
}

/** `node demo-workers-1..100 (on 100 nodes)`: what several changes are about that read the same. */
export function subjectOfAll(changes: readonly Change[]): string {
  const [first] = changes
  if (first === undefined) return ''
  if (changes.length === 1) return subjectOf(first)
  const records = changes.flatMap(({ after, before }) => after ?? before ?? [])
  const [record] = records
  if (record === undefined) return first.key
  const { words, counted } = kindTraits[record.kind]
  const names = nameRange(records.map(({ name }) => name))
  return `${words} ${names} (on ${changes.length} ${counted})`
}

/** A value on one line. What only another change can tell says so. */
export function formatValue(value: Json | undefined): string {
  if (value === undefined) return '(none)'
  if (isKnownAfter(value)) return `(known after ${value.knownAfter})`
  return typeof value === 'string' ? value : canonicalJson(value)
}

/** `12 to create, 1 to delete`; what there is none of is left out. */
export function countActions(changes: readonly Change[]): string {
  const actions: Action[] = ['create', 'update', 'replace', 'delete']
  return actions
    .map((action) => ({ action, count: changes.filter((c) => c.action === action).length }))
    .filter(({ count }) => count > 0)
    .map(({ action, count }) => `${count} to ${action}`)
    .join(', ')
}

export function formatEuro(amount: number): string {
  return `€${amount.toFixed(2)}`
}

/** `€10.00 → €15.50 per month (+€5.50)`, without tax. */
export function formatCost(cost: Cost): string {
  const delta = cost.after - cost.before
  const sign = delta < 0 ? '−' : '+'
  const difference = delta === 0 ? 'unchanged' : `${sign}${formatEuro(Math.abs(delta))}`
  return `${formatEuro(cost.before)} → ${formatEuro(cost.after)} per month (${difference}, without tax)`
}

/** What somebody does for the changes that wait for another verb. */
export const verbAdvice: Record<Verb, string> = {
  apply: 'an apply makes these',
  upgrade: 'the upgrade button makes these: `hcloud-talos upgrade`, or the upgrade action',
  destroy: 'only a destroy makes these',
}
