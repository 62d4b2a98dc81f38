import type { ReachedNode } from '../../../commands/talos/reached-cluster.ts'
import { yesSetting } from '../../cluster-settings.ts'
import { defineVerb } from './define-verb.ts'
import { requireNamed } from './require-named.ts'
import { gateSetting, waitSetting } from './verb-settings.ts'

export const rollback = defineVerb({
  name: 'rollback',
  description: 'drain nodes and boot the Talos of before their last upgrade, through the same gate',
  prints: 'report',
  role: 'os:admin',
  takes: { gate: gateSetting(), wait: waitSetting(), yes: yesSetting() },
  question: ({ nodes }) => `Boot the Talos of before the last upgrade on ${requireNamed(nodes)}?`,
  async run(parts, options) {
    const { bootInTurn } = await import('./boot-in-turn.ts')
    const { requireReadableConfig } = await import(
      '../../../commands/talos/require-readable-config.ts'
    )
    const { recordRollback, talosOf } = await import('../../../commands/talos/record-rollback.ts')
    const { cluster, terminal } = parts
    const former = new Map<string, string>()
    const stop = async (node: ReachedNode) => {
      former.set(node.name, await talosOf(node))
      await node.api.machine.rollback()
    }
    const after = (node: ReachedNode) =>
      recordRollback(cluster, node, {
        before: former.get(node.name) ?? '',
        report: (message) => terminal.report(message),
      })
    await bootInTurn(parts, 'rollback', options, stop, { check: requireReadableConfig, after })
  },
})
