import { verifyState } from '../../../commands/state/verify-state.ts'
import { readClusterFileFrom } from '../../../run/read-cluster-file.ts'
import type { CommonOptions } from '../../handler-options.ts'
import type { CommandParts } from '../../handlers.ts'
import { auditJson, describeAudit } from './describe-audit.ts'

/** Verifies a state branch and prints all that is wrong with it; fails with the first of that. */
export async function verifyCommand(
  { terminal, openContext }: CommandParts,
  { config, json }: CommonOptions,
): Promise<number> {
  await using context = await openContext()
  const state = await verifyState(context, await readClusterFileFrom(config))
  terminal.print(json ? `${JSON.stringify(auditJson(state), null, 2)}\n` : describeAudit(state))
  const [first] = state.problems
  if (first) throw first.error
  return 0
}
