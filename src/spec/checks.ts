import type { Check } from './spec-check.ts'

/** Everything that is judged between fields. */
export const checks: readonly Check[] = []
