import { clusterSettings } from '../../cluster-settings.ts'
import { defineCommand } from '../../command.ts'

/** Verifies a state branch and prints all that is wrong with it; fails with the first of that. */
export const verify = defineCommand({
  name: 'verify',
  description: 'verify the state branch, generation by generation',
  examples: [
    { purpose: 'every commit of the branch', line: '' },
    { purpose: 'for a program', line: '--json' },
  ],
  takes: clusterSettings(),
  async run({ terminal, openContext }, { config, json }) {
    const { verifyState } = await import('../../../commands/state/verify-state.ts')
    const { readClusterFileFrom } = await import('../../../run/read-cluster-file.ts')
    const { auditJson, describeAudit } = await import('./describe-audit.ts')
    await using context = await openContext()
    const state = await verifyState(context, await readClusterFileFrom(config))
    terminal.print(json ? `${JSON.stringify(auditJson(state), null, 2)}\n` : describeAudit(state))
    const [first] = state.problems
    if (first) throw first.error
    return 0
  },
})
