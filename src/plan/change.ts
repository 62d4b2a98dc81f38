import type { Json } from '../lib/json.ts'
import { type ClusterPart, type ClusterRecord, partOf, type RecordKey } from './record.ts'

export type Action = 'create' | 'update' | 'replace' | 'delete'

/**
 * What a change can do to a running cluster, from harmless to final. `restart`: components of Kubernetes start
 * again, node by node, and what is connected to them is cut off; pods continue to run.
 */
export const risks = [
  'additive',
  'live',
  'restart',
  'reboot',
  'drain',
  'replace',
  'quorum',
  'data-loss',
] as const
export type Risk = (typeof risks)[number]

/** One field that differs; a path such as `labels.pool`. `undefined` stands for absent. */
export interface FieldChange {
  readonly path: string
  readonly before: Json | undefined
  readonly after: Json | undefined
  /** Whether somebody changed it by hand since the last apply, and the change puts it back. */
  readonly byHand?: boolean
}

/** One act on one record. Everything that an apply does is a change. */
export interface Change {
  readonly key: RecordKey
  readonly action: Action
  readonly before: ClusterRecord | undefined
  readonly after: ClusterRecord | undefined
  /** The fields that differ; empty for create and delete. */
  readonly fields: readonly FieldChange[]
  /** Why, as half a sentence for people: `the server type cannot be changed in place`. */
  readonly reason: string
  readonly risk: Risk
  /** Keys whose changes, where the plan has any, must be done before this one. */
  readonly needs: readonly RecordKey[]
  /** Keys of changes of any kind, deletes too, that go before this one although it needs none of them. */
  readonly follows?: readonly RecordKey[]
}

/** Which part of a cluster it changes. */
export function changedPart({ after, before }: Change): ClusterPart | undefined {
  const record = after ?? before
  return record && partOf(record)
}

/** Whether it starts a machine that is off: there is nothing on it that could be stopped. */
export function isSwitchedOn(change: Change): boolean {
  return (
    change.action === 'update' &&
    changedPart(change) === 'machine' &&
    change.fields.some(({ path }) => path === 'power')
  )
}

export function worstRisk(all: readonly Risk[]): Risk | undefined {
  return risks.findLast((risk) => all.includes(risk))
}
