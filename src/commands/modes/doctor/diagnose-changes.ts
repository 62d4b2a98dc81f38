import type { Change } from '../../../plan/change.ts'
import type { Plan } from '../../../plan/plan.ts'
import { pendingRestore } from '../../../planner/pending-restore.ts'
import { type Diagnosis, passed, problem } from '../../../run/diagnosis.ts'
import type { Generation } from '../../../store/generation.ts'

/** In what the cluster differs from its file, for an apply and for an upgrade, and what forbids either. Pure. */
export function diagnoseChanges(generation: Generation, planApply: () => Plan): Diagnosis[] {
  // Until that is done, nothing else means anything; the journal's look names it.
  if (pendingRestore(generation.journal)) return []
  const { changes, waiting, findings } = planApply()
  const errors = findings.filter(({ severity }) => severity === 'error')
  const upgrades = waiting.length
  const found = [
    ...errors.map(({ message, hint = 'hcloud-talos plan' }) =>
      problem('changes', 'bad', message, hint),
    ),
    ...(errors.length === 0 && changes.length > 0
      ? [
          problem(
            'changes',
            'weak',
            `an apply has ${describePending(changes)}`,
            'hcloud-talos apply',
          ),
        ]
      : []),
    ...(upgrades > 0
      ? [
          problem(
            'versions',
            'weak',
            `an upgrade has ${describePending(waiting)}`,
            'hcloud-talos upgrade',
          ),
        ]
      : []),
  ]
  return found.length > 0 ? found : [passed('changes', 'the cluster matches its file')]
}

const shown = 3

function describePending(changes: readonly Change[]): string {
  const keys = changes.slice(0, shown).map(({ action, key }) => `${action} ${key}`)
  const more = changes.length > shown ? `, and ${changes.length - shown} more` : ''
  return `${changes.length} ${changes.length === 1 ? 'change' : 'changes'} to make: ${keys.join(', ')}${more}`
}
