import { stringify } from 'yaml'
import type { NodeReport } from '../../../commands/talos/node-report.ts'
import { describeError } from '../../../lib/describe-error.ts'
import type { Json } from '../../../lib/json.ts'
import { renderTable } from '../../terminal/render-table.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import type { OutputFormat } from './verb-settings.ts'

/**
 * Prints what each node said. A node that failed, or left something out, spoils nothing of the others: it is told on
 * standard error, and thrown in the end.
 */
export function showReports(
  terminal: Terminal,
  reports: readonly NodeReport[],
  format: OutputFormat = 'table',
): void {
  const good = reports.flatMap((each) => ('value' in each ? [each] : []))
  const failed = reports.flatMap((each) => failureOf(each) ?? [])
  if (format === 'table') {
    const [first] = good
    if (first) {
      const rows = good.flatMap(({ node, value }) => value.rows.map((row) => [node, ...row]))
      terminal.print(renderTable(['NODE', ...first.value.columns], rows))
    }
  } else {
    const results = reports.map((each) =>
      'value' in each
        ? { node: each.node, result: each.value.data }
        : { node: each.node, error: describeError(each.error).headline },
    )
    printData(terminal, results, format)
  }
  const [first, ...others] = failed
  for (const { node, error } of others) terminal.report(`${node}: ${describeError(error).headline}`)
  if (first) throw first.error
}

function failureOf(report: NodeReport): { node: string; error: unknown } | undefined {
  if ('error' in report) return report
  const { node, value } = report
  return value.failure && { node, error: value.failure }
}

/** One document of JSON, or of YAML. */
export function printData(terminal: Terminal, value: Json, format: 'json' | 'yaml'): void {
  terminal.print(
    format === 'json' ? `${JSON.stringify(value, null, 2)}\n` : stringify(value, { lineWidth: 0 }),
  )
}
