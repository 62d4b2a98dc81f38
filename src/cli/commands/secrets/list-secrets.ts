import { clusterSettings } from '../../cluster-settings.ts'
import { defineCommand } from '../../command.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { printJson } from '../../show-plan.ts'
import { renderTable } from '../../terminal/render-table.ts'

/** Prints which secrets there are, and never what they are. */
export const listSecrets = defineCommand({
  name: 'secret list',
  description: 'list the secrets, without their values; changes nothing',
  examples: [{ purpose: 'which ones there are, and what refers to them', line: 'list' }],
  takes: clusterSettings(),
  async run({ terminal, openContext }, { config, json }) {
    const use = await import('../../../commands/secrets/list-secrets.ts')
    const file = await readCheckedFile(config)
    await using context = await openContext()
    const secrets = await use.listSecrets(context, file)
    if (json) {
      const listed = secrets.map(({ name, kept, referredFrom }) => ({
        name,
        kept: kept ? { ...kept } : null,
        referredFrom: [...referredFrom],
      }))
      printJson(terminal, { secrets: listed })
    } else if (secrets.length === 0) terminal.report('there are no secrets')
    else {
      const rows = secrets.map(({ name, kept, referredFrom }) => [
        name,
        kept ? String(kept.version) : '-',
        kept?.setAt ?? 'missing',
        kept ? `${kept.setBy}${kept.origin === 'environment' ? ' (environment)' : ''}` : '-',
        referredFrom.join(', ') || 'nothing',
      ])
      terminal.print(renderTable(['NAME', 'VERSION', 'SET AT', 'BY', 'REFERRED TO BY'], rows))
    }
    return 0
  },
})
