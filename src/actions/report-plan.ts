import type { ClusterFile } from '../commands/cluster-session.ts'
import { postPlanComment } from '../github/plan-comment.ts'
import type { Finding } from '../lib/finding.ts'
import { visibleMarkdown } from '../plan/markdown-escape.ts'
import type { Plan } from '../plan/plan.ts'
import { renderPlanMarkdown } from '../plan/render-markdown.ts'
import type { ActionRun } from './action.ts'

/** Outputs that tell about a plan. */
export const planOutputs = ['changes', 'waiting', 'risk', 'digest'] as const

/**
 * Shows a plan wherever people look: the summary, the pull request's comment, annotations at the lines
 * of the file, and outputs for later steps. Reporting never changes how the step ends.
 */
export async function reportPlan(
  { runner, context, environment }: ActionRun,
  file: ClusterFile,
  plan: Plan,
  findings: readonly Finding[],
): Promise<void> {
  runner.setOutput('changes', String(plan.changes.length))
  runner.setOutput('waiting', String(plan.waiting.length))
  runner.setOutput('risk', plan.risk ?? '')
  runner.setOutput('digest', plan.digest)
  for (const finding of [...findings, ...plan.findings]) runner.annotate(file.path, finding)
  const markdown = visibleMarkdown(context.redactor.redact(renderPlanMarkdown(plan)))
  await runner.writeSummary(markdown)
  await comment({ runner, environment }, plan, markdown)
}

async function comment(
  { runner, environment }: Pick<ActionRun, 'runner' | 'environment'>,
  plan: Plan,
  body: string,
): Promise<void> {
  const { owner, repository, pullRequest } = runner.event
  const token = runner.input('github-token')
  if (pullRequest === undefined || token === '') return
  const result = await postPlanComment(
    { owner, repository, pullRequest, clusterName: plan.clusterName, body },
    { token, apiUrl: environment['GITHUB_API_URL'] || 'https://api.github.com' },
  )
  if (result.posted === false) runner.warn(`no comment on the pull request: ${result.reason}`)
  else runner.info(`the plan is at ${result.url}`)
}
