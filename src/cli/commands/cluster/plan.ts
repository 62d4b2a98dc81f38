import { describeFinding } from '../../../lib/describe-error.ts'
import { refuseErrors } from '../../../lib/findings-error.ts'
import { clusterSettings, replaceSetting, stageSetting } from '../../cluster-settings.ts'
import { defineCommand } from '../../command.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { flag, text, without } from '../../setting.ts'
import { showPlan } from '../../show-plan.ts'
import { writePrivateFile } from '../../terminal/write-private-file.ts'

/** Exit code of `--detailed-exitcode` when there is something to do. */
const changesPending = 2

/** Shows what an apply or an upgrade would do. A plan that must not be carried out is shown too, and refused. */
export const plan = defineCommand({
  name: 'plan',
  description: 'show what an apply would do; changes nothing',
  examples: [
    { purpose: 'look', line: '' },
    { purpose: 'keep the plan and carry out just that', line: '--out plan.json' },
    { purpose: 'in a script: 2 means that there is something to do', line: '--detailed-exitcode' },
  ],
  takes: {
    ...clusterSettings(),
    upgrade: flag('--upgrade', 'show what an upgrade would do'),
    stage: stageSetting(),
    replace: without(replaceSetting(), 'upgrade'),
    detailedExitcode: flag('--detailed-exitcode', 'exit with 2 when there is something to do'),
    markdown: without(
      flag('--markdown', 'print Markdown, as a pull request would show it'),
      'json',
    ),
    out: text('-o, --out <file>', 'keep the plan, for apply --plan'),
  },
  async run(
    { terminal, openContext },
    { config, stage, replace, upgrade, json, markdown, detailedExitcode, out },
  ) {
    const { planCluster } = await import('../../../commands/cluster/plan-cluster.ts')
    const file = await readCheckedFile(config)
    await using context = await openContext()
    const verb = upgrade ? 'upgrade' : 'apply'
    const { plan: shown, findings } = await planCluster(context, { file, verb, stage, replace })
    for (const finding of findings) terminal.report(describeFinding(config, finding))
    if (markdown) {
      const { renderPlanMarkdown } = await import('../../../plan/render-markdown.ts')
      terminal.print(renderPlanMarkdown(shown, (each) => context.redactor.redact(each)))
    } else await showPlan(terminal, shown, json)
    refuseErrors('plan-refused', shown.findings, config)
    if (out !== undefined) {
      const { toApprovedPlan } = await import('../../../plan/verdict.ts')
      await writePrivateFile(out, `${JSON.stringify(toApprovedPlan(shown))}\n`)
    }
    return detailedExitcode && shown.changes.length + shown.waiting.length > 0 ? changesPending : 0
  },
})
