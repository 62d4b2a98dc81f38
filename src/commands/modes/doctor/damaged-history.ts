import type { Finding } from '../../../lib/finding.ts'
import { type Diagnosis, passed, problem } from '../../../run/diagnosis.ts'
import type { StateStore } from '../../../store/state-store.ts'
import type { AuditProblem } from '../../../store/trust/audit-state.ts'

/** The one command that leads back to a state branch that verifies. */
const repair = 'hcloud-talos repair'

/** What is wrong with the history of a state branch that can be read, from its beginning. */
export async function diagnoseHistory(store: StateStore): Promise<Diagnosis[]> {
  const { problems, commits } = await store.audit()
  if (problems.length === 0)
    return [passed('state', `all of its ${commits} commits are as they were written`)]
  return problems.map((found) => problem('state', 'bad', describe(found), repair))
}

/**
 * Warns of commits at the end of the state branch that no run made, although the state can be read: while they are the
 * newest, whoever made them remembers. Looks at no contents where the last commits are runs'.
 */
export async function warnDamagedHistory(store: StateStore): Promise<Finding[]> {
  if (!(await store.hasRecentDamage())) return []
  const { problems } = await store.audit()
  return problems.map((found) => ({
    severity: 'warning',
    path: ['state', 'branch'],
    message: `the history of the state branch does not verify: ${describe(found)}`,
    hint: `Run \`${repair}\`: it shows who made the commit, and signs for the branch as it should be.`,
  }))
}

const describe = ({ commit, error }: AuditProblem) =>
  `${commit.slice(0, 12)} [${error.code}] ${error.message}`
