import { choices, flag, optionalArgument } from '../../setting.ts'
import { askNodes } from './ask-nodes.ts'
import { defineVerb } from './define-verb.ts'
import { wholeNumberOr } from './verb-settings.ts'

export const list = defineVerb({
  name: 'list',
  description: "what is in a node's folder",
  prints: 'report',
  role: 'os:reader',
  takes: {
    recurse: flag('-r, --recurse', 'and in the folders in it'),
    depth: wholeNumberOr('-d, --depth <depth>', 'no deeper than that; 0 has no limit', 0),
    type: choices('-t, --type <types...>', 'only these', ['file', 'folder', 'link']),
    path: optionalArgument('[path]'),
  },
  async run(parts, { path = '/', recurse, depth, type: types = [], output }) {
    const { listReport } = await import('../../../commands/talos/file-report.ts')
    await askNodes(parts, output, (api) => listReport(api, { path, recurse, depth, types }))
  },
})
