import { clusterSettings } from '../../cluster-settings.ts'
import { defineCommand } from '../../command.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { hoursOr, textOr } from '../../setting.ts'
import { writePrivateFile } from '../../terminal/write-private-file.ts'
import { reportAccess } from './report-access.ts'

/** Mints a kubeconfig into a file; it is never printed. */
export const kubeconfig = defineCommand({
  name: 'kubeconfig',
  description: 'mint a kubeconfig',
  examples: [
    { purpose: 'for this day', line: '--out ~/.kube/demo' },
    { purpose: 'for one hour', line: '--hours 1' },
  ],
  takes: {
    ...clusterSettings(),
    out: textOr('-o, --out <file>', 'where it goes; readable by you alone', 'kubeconfig'),
    hours: hoursOr('--hours <hours>', 'how long it is good for', 12),
  },
  async run({ terminal, openContext }, { config, json, out, hours }) {
    const { mintAccess } = await import('../../../commands/access/mint-access.ts')
    const file = await readCheckedFile(config)
    await using context = await openContext()
    const minted = await mintAccess(context, { file, hours })
    await writePrivateFile(out, minted.kubeconfig)
    reportAccess(terminal, { json, path: out, hours })
    return 0
  },
})
