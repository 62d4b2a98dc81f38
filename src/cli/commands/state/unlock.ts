import type { JsonObject } from '../../../lib/json.ts'
import { clusterSettings, yesSetting } from '../../cluster-settings.ts'
import { defineCommand } from '../../command.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { printJson } from '../../show-plan.ts'

/** Shows whose lock it is, watches it where need be, and breaks it where that is proven to hurt nobody. */
export const unlock = defineCommand({
  name: 'unlock',
  description: 'show who holds the lock; break it if its run has ended',
  examples: [{ purpose: 'whose lock is it, and may it be broken', line: '' }],
  takes: { ...clusterSettings(), yes: yesSetting() },
  async run({ terminal, openContext }, { config, json }) {
    const { unlockCluster } = await import('../../../commands/state/unlock-cluster.ts')
    const file = await readCheckedFile(config)
    await using context = await openContext()
    const { clusterName, lock, because } = await unlockCluster(context, file, {
      onFound({ record }) {
        if (!record) return terminal.report('the lock cannot be read')
        const { owner, acquiredAt, renewedAt } = record
        const where = owner.url ?? `on ${owner.host}`
        terminal.report(`held by ${owner.run}, attempt ${owner.attempt} (${where})`)
        terminal.report(`since ${acquiredAt}, renewed at ${renewedAt}, by the clock of its holder`)
      },
      onWaiting: (reason) => terminal.report(`watching the lock, ${reason}`),
    })
    if (json) {
      const result: JsonObject = {
        clusterName,
        broken: because !== undefined,
        because: because ?? null,
        run: lock?.owner.run ?? null,
      }
      printJson(terminal, result)
    } else if (!lock) terminal.print(`Nobody holds the lock of ${clusterName}.\n`)
    else {
      const why = because === 'over' ? 'its holder has ended' : 'its holder did not renew it'
      terminal.print(`The lock of ${clusterName} is broken: ${why}.\n`)
    }
    return 0
  },
})
