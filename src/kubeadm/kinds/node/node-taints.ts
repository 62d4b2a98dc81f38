import type { JsonObject } from '../../../lib/json.ts'

interface NodeTaint {
  readonly key: string
  readonly value?: string | undefined
  readonly effect: string
}

/** Two taints of one key and effect are one to Kubernetes. */
export function taintKey({ key, effect }: NodeTaint): string {
  return `${key}:${effect}`
}

/** Taints as what is compared: without an order, by key and effect. */
export function taintsByKey(taints: readonly NodeTaint[]): JsonObject {
  return Object.fromEntries(taints.map((taint) => [taintKey(taint), taint.value ?? '']))
}
