import { argument } from '../../setting.ts'
import { defineVerb, forever } from './define-verb.ts'
import { followSetting, kubernetesSetting, wholeNumber } from './verb-settings.ts'

export const logs = defineVerb({
  name: 'logs',
  description: 'the log of a service, or of a container',
  prints: 'stream',
  role: 'os:reader',
  takes: {
    follow: followSetting(),
    tail: wholeNumber('--tail <lines>', 'only so many of the last lines'),
    kubernetes: kubernetesSetting('of a container of Kubernetes, by its id'),
    id: argument('<id>'),
  },
  async run(parts, { id, follow, tail, kubernetes, output }) {
    const { followEach } = await import('../../../commands/talos/follow-each.ts')
    const { textLines } = await import('../../../commands/talos/text-lines.ts')
    const { showItems } = await import('./show-items.ts')
    const log = { follow, tailLines: tail, space: kubernetes ? 'k8s.io' : 'system' } as const
    const show = showItems(parts, output)
    await followEach(
      parts.cluster.nodes,
      ({ machine }) => textLines(machine.logs(id, log, forever)),
      (node, line) => show(node, line, { line }),
    )
  },
})
