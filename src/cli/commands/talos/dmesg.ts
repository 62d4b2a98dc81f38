import { flag } from '../../setting.ts'
import { defineVerb, forever } from './define-verb.ts'
import { followSetting } from './verb-settings.ts'

export const dmesg = defineVerb({
  name: 'dmesg',
  description: "the kernel's log",
  prints: 'stream',
  role: 'os:reader',
  takes: {
    follow: followSetting(),
    onlyNew: flag('--only-new', 'with --follow: leave out what was before'),
  },
  async run(parts, { follow, onlyNew: tail, output }) {
    const { followEach } = await import('../../../commands/talos/follow-each.ts')
    const { textLines } = await import('../../../commands/talos/text-lines.ts')
    const { showItems } = await import('./show-items.ts')
    const show = showItems(parts, output)
    await followEach(
      parts.cluster.nodes,
      ({ machine }) => textLines(machine.dmesg({ follow, tail }, forever)),
      (node, line) => show(node, line, { line }),
    )
  },
})
