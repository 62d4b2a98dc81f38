import { planCluster } from '../../../commands/cluster/plan-cluster.ts'
import { describeFinding } from '../../../lib/describe-error.ts'
import { refuseErrors } from '../../../lib/findings-error.ts'
import { renderPlanMarkdown } from '../../../plan/render-markdown.ts'
import { toApprovedPlan } from '../../../plan/verdict.ts'
import type { PlanOptions } from '../../handler-options.ts'
import type { CommandParts } from '../../handlers.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { showPlan } from '../../show-plan.ts'
import { writePrivateFile } from '../../terminal/write-private-file.ts'

/** Exit code of `--detailed-exitcode` when there is something to do. */
const changesPending = 2

/** Shows what an apply or an upgrade would do. A plan that must not be carried out is shown too, and refused. */
export async function planCommand(parts: CommandParts, options: PlanOptions): Promise<number> {
  const { config, stage, replace, upgrade, json, markdown, detailedExitcode, out } = options
  const { terminal, openContext } = parts
  const file = await readCheckedFile(config)
  await using context = await openContext()
  const verb = upgrade ? 'upgrade' : 'apply'
  const { plan, findings } = await planCluster(context, { file, verb, stage, replace })
  for (const finding of findings) terminal.tell(describeFinding(config, finding))
  const redact = (text: string) => context.redactor.redact(text)
  if (markdown) terminal.print(renderPlanMarkdown(plan, redact))
  else showPlan(terminal, plan, json)
  refuseErrors('plan-refused', plan.findings, config)
  if (out !== undefined) await writePrivateFile(out, `${JSON.stringify(toApprovedPlan(plan))}\n`)
  return detailedExitcode && plan.changes.length + plan.waiting.length > 0 ? changesPending : 0
}
