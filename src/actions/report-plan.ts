import { packRecord, renderRecord } from '../github/comment-body.ts'
import { postPlanComment } from '../github/plan-comment.ts'
import { textDigest } from '../lib/canonical-json.ts'
import type { Finding } from '../lib/finding.ts'
import { visibleMarkdown } from '../plan/markdown-escape.ts'
import type { Plan } from '../plan/plan.ts'
import { formatPlanRecord, parsePlanRecord } from '../plan/plan-record.ts'
import { renderPlanMarkdown } from '../plan/render-markdown.ts'
import type { ClusterFile } from '../run/cluster-file.ts'
import type { ActionRun } from './action.ts'
import { clusterInputs } from './cluster-inputs.ts'
import { readInput } from './input.ts'

/** Outputs about a plan. */
export const planOutputs = {
  changes: 'How many changes the plan has.',
  waiting: 'How many more wait for another verb, such as an upgrade.',
  risk: 'The worst risk among the changes; empty when there are none.',
  digest: 'Digest of the plan: 64 hex digits, the same for the same plan.',
}

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
  const redact = (text: string) => context.redactor.redact(text)
  const markdown = visibleMarkdown(redact(renderPlanMarkdown(plan, redact)))
  await runner.writeSummary(markdown)
  await comment(
    { runner, environment, context },
    plan,
    recordedBody(context, runner, file, plan, markdown),
  )
}

interface CommentBody {
  readonly body: string
  readonly record?: string
}

/**
 * What a comment shows and records. Only the plan of a pull request's own event is approved by its merge, and only
 * without anything that had to be hidden; its text is rendered from the record, as an apply will render it again.
 */
function recordedBody(
  { redactor, toolVersion }: ActionRun['context'],
  { event }: ActionRun['runner'],
  file: ClusterFile,
  plan: Plan,
  markdown: string,
): CommentBody {
  const { name, head } = event
  if (name !== 'pull_request' || head === undefined) return { body: markdown }
  const origin = { file: textDigest(file.text), commit: head, toolVersion }
  const json = JSON.stringify(formatPlanRecord(plan, origin))
  const record = parsePlanRecord(JSON.parse(json))
  if (!record || redactor.redact(json) !== json) return { body: markdown }
  const body = renderRecord(record)
  return redactor.redact(body) === body ? { body, record: packRecord(json) } : { body: markdown }
}

async function comment(
  { runner, environment, context }: Pick<ActionRun, 'runner' | 'environment' | 'context'>,
  { clusterName }: Plan,
  content: CommentBody,
): Promise<void> {
  const { owner, repository, pullRequest } = runner.event
  const token = readInput(clusterInputs, 'github-token', runner)
  if (pullRequest === undefined || token === undefined) return
  const result = await postPlanComment(
    { owner, repository, pullRequest, clusterName, ...content },
    {
      token,
      apiUrl: environment['GITHUB_API_URL'] || 'https://api.github.com',
      record: context.record,
    },
  )
  if (result.posted === false) runner.warn(`no comment on the pull request: ${result.reason}`)
  else runner.info(`the plan is at ${result.url}`)
}
