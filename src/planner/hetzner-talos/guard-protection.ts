import type { Finding } from '../../lib/finding.ts'
import type { Change } from '../../plan/change.ts'
import { kindTraits } from '../../plan/record.ts'

/**
 * What is delete-protected and would go. We protect nothing, so whoever did so had a reason: the plan
 * stops before anything is drained, deleted or paid for. Pure.
 */
export function guardProtection(changes: readonly Change[]): Finding[] {
  return changes.flatMap(({ action, before }) => {
    if (before === undefined || (action !== 'delete' && action !== 'replace')) return []
    if (before.facts?.['deleteProtected'] !== true) return []
    const verb = action === 'delete' ? 'deleted' : 'replaced'
    const id = String(before.facts['id'] ?? '?')
    return [
      {
        severity: 'error',
        path: [],
        message: `the ${kindTraits[before.kind].words} ${before.name} (id ${id}) would be ${verb}, and somebody protected it from deletion`,
        hint: 'Take the protection off in the Hetzner console if it really is to go, and plan again.',
      },
    ]
  })
}
