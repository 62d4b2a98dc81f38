import type { Json, JsonObject } from '../../../lib/json.ts'
import type { KubeObject } from '../model/kube-object.ts'
import { objectsAt, textAt } from '../model/read-json.ts'

export interface ConditionChange {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason?: string
  readonly message?: string
}

/**
 * The conditions of an object with one of them set; the time of its transition changes only when its
 * status does. `stamps` are further times that the kind of object has, such as a heartbeat.
 */
export function withCondition(
  conditions: readonly JsonObject[],
  { type, status, reason, message }: ConditionChange,
  now: string,
  stamps: Readonly<Record<string, Json>> = {},
): JsonObject[] {
  const before = conditions.find((condition) => textAt(condition, 'type') === type)
  const same = before !== undefined && textAt(before, 'status') === status
  const next: JsonObject = {
    type,
    status,
    ...stamps,
    lastTransitionTime: same ? (before['lastTransitionTime'] ?? now) : now,
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
  }
  return before
    ? conditions.map((condition) => (condition === before ? next : condition))
    : [...conditions, next]
}

export function conditionOf(object: KubeObject, type: string): JsonObject | undefined {
  return objectsAt(object, 'status', 'conditions').find(
    (condition) => textAt(condition, 'type') === type,
  )
}

export function isTrue(object: KubeObject, type: string): boolean {
  return textAt(conditionOf(object, type), 'status') === 'True'
}
