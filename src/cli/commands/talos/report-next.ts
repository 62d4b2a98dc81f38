import type { ReachedNode } from '../../../commands/talos/reached-cluster.ts'
import { describeError } from '../../../lib/describe-error.ts'
import type { Terminal } from '../../terminal/terminal.ts'

/** Reports a node that could not answer, while the next one is asked. */
export function reportNext(terminal: Terminal): (node: ReachedNode, error: Error) => void {
  return ({ name }, error) => terminal.report(`${name}: ${describeError(error).headline}`)
}
