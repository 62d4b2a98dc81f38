import { clusterSettings } from '../../cluster-settings.ts'
import { defineCommand } from '../../command.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { argument, flag } from '../../setting.ts'
import { printJson } from '../../show-plan.ts'

/** Removes a secret; asks where the cluster file refers to it. */
export const removeSecret = defineCommand({
  name: 'secret rm',
  description: 'remove a secret',
  examples: [
    { purpose: 'one that nothing refers to any more', line: 'rm registry-password --yes' },
  ],
  takes: {
    ...clusterSettings(),
    name: argument('<name>', 'its name'),
    yes: flag('-y, --yes', 'do not ask, also where the cluster file refers to it'),
  },
  async run({ terminal, openContext }, { config, json, name, yes }) {
    const secrets = await import('../../../commands/secrets/change-secret.ts')
    const file = await readCheckedFile(config)
    await using context = await openContext()
    const { version } = await secrets.removeSecret(context, {
      file,
      name,
      async confirm(places) {
        if (yes) return true
        const question = `${places.join(', ')} refers to it, and every apply is refused without it. Remove it? Only "yes" does: `
        return (await terminal.ask(question)) === 'yes'
      },
    })
    if (json) printJson(terminal, { name, removed: true, version })
    else
      terminal.print(
        `The secret ${name} is removed; git's history keeps it for whoever could read it.\n`,
      )
    return 0
  },
})
