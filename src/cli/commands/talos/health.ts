import type { JsonObject } from '../../../lib/json.ts'
import { visibleLine } from '../../../lib/visible-text.ts'
import { defineVerb } from './define-verb.ts'
import { wholeNumberOr } from './verb-settings.ts'

export const health = defineVerb({
  name: 'health',
  description: 'check the health of the cluster, one statement after the other',
  prints: 'report',
  // The node asks itself for a kubeconfig on behalf of whoever asks it, and only an admin gets one.
  role: 'os:admin',
  takes: {
    waitTimeout: wholeNumberOr('--wait-timeout <seconds>', 'how long it may take to be so', 300),
  },
  async run({ cluster, terminal }, { waitTimeout, output = 'table' }) {
    const { checkHealth } = await import('../../../commands/talos/check-health.ts')
    const last = new Map<string, JsonObject>()
    try {
      await checkHealth(cluster, {
        waitMs: waitTimeout * 1_000,
        report: ({ sentence, isTrue: ok, reason }) => {
          last.set(sentence, { sentence, ok, ...(!ok && { reason }) })
          if (!ok) terminal.report(visibleLine(`waiting for ${sentence}: ${reason}`))
          else if (output === 'table') terminal.print(`ok  ${visibleLine(sentence)}\n`)
        },
      })
    } finally {
      const { printData } = await import('./show-reports.ts')
      // What is not so is of most interest when it fails.
      if (output !== 'table') printData(terminal, [...last.values()], output)
    }
  },
})
