import { clusterSettings } from '../../cluster-settings.ts'
import { defineCommand } from '../../command.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { choiceOr, hoursOr, textOr } from '../../setting.ts'
import { writePrivateFile } from '../../terminal/write-private-file.ts'
import { reportAccess } from './report-access.ts'

/** Mints a talosconfig into a file; it is never printed. */
export const talosconfig = defineCommand({
  name: 'talosconfig',
  description: 'mint a talosconfig',
  examples: [{ purpose: 'for somebody who may only look', line: '--role os:reader --hours 4' }],
  takes: {
    ...clusterSettings(),
    out: textOr('-o, --out <file>', 'where it goes; readable by you alone', 'talosconfig'),
    hours: hoursOr('--hours <hours>', 'how long it is good for', 12),
    role: choiceOr(
      '--role <role>',
      'what its bearer may do',
      ['os:admin', 'os:operator', 'os:reader'],
      'os:admin',
    ),
  },
  async run({ terminal, openContext }, { config, json, out, hours, role }) {
    const { mintTalosconfig } = await import('../../../commands/talos/mint-talosconfig.ts')
    const file = await readCheckedFile(config)
    await using context = await openContext()
    await writePrivateFile(out, await mintTalosconfig(context, { file, hours, role }))
    reportAccess(terminal, { json, path: out, hours, more: { role } })
    return 0
  },
})
