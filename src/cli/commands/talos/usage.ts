import { flag, restArguments } from '../../setting.ts'
import { askNodes } from './ask-nodes.ts'
import { defineVerb } from './define-verb.ts'
import { wholeNumberOr } from './verb-settings.ts'

export const usage = defineVerb({
  name: 'usage',
  description: 'what files and folders take',
  prints: 'report',
  role: 'os:reader',
  takes: {
    all: flag('-a, --all', 'files too, not folders alone'),
    depth: wholeNumberOr('-d, --depth <depth>', 'how many levels to list', 0),
    threshold: wholeNumberOr(
      '--threshold <bytes>',
      'leave out what is smaller; larger, when negative',
      0,
    ),
    paths: restArguments('[paths...]'),
  },
  async run(parts, { paths: named, all, depth, threshold, output }) {
    const { usageReport } = await import('../../../commands/talos/file-report.ts')
    const paths = named.length > 0 ? named : ['/']
    await askNodes(parts, output, (api) => usageReport(api, { paths, depth, all, threshold }))
  },
})
