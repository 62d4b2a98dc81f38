import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { readActionFile } from '../../scripts/action-file.ts'
import { publishedAction } from '../../src/lib/published-action.ts'

const root = resolve(import.meta.dirname, '../..')
const self = publishedAction.name

const step = z.looseObject({
  id: z.string().optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
})

const workflow = z.looseObject({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  permissions: z.strictObject({}),
  jobs: z.record(
    z.string(),
    z.looseObject({
      'runs-on': z.string(),
      'timeout-minutes': z.number(),
      permissions: z.record(z.string(), z.enum(['read', 'write'])),
      steps: z.array(step),
    }),
  ),
})

/**
 * What is wrong with a workflow of ours: it must name actions, inputs and outputs that there are, give
 * what is required, and take no more rights than it needs to say.
 */
export function workflowProblems(text: string): string[] {
  const parsed = workflow.safeParse(parse(text))
  if (!parsed.success) return [z.prettifyError(parsed.error)]
  return Object.values(parsed.data.jobs).flatMap(({ steps }) => [
    ...steps.flatMap(stepProblems),
    ...outputProblems(text, steps),
  ])
}

type Step = z.infer<typeof step>

function stepProblems({ uses, with: given = {} }: Step): string[] {
  const file = actionOf(uses)
  if (file === undefined) return []
  if (file === 'unknown') return [`${uses} is no action of ours`]
  const needed = Object.entries(file.inputs).filter(([, { required }]) => required)
  return [
    ...Object.keys(given)
      .filter((input) => !(input in file.inputs))
      .map((input) => `${uses} has no input ${input}`),
    ...needed.filter(([input]) => !(input in given)).map(([input]) => `${uses} needs ${input}`),
  ]
}

/** Outputs of our steps that the workflow reads and that they do not have. */
function outputProblems(text: string, steps: readonly Step[]): string[] {
  return steps.flatMap(({ id, uses }) => {
    const file = actionOf(uses)
    if (id === undefined || file === undefined || file === 'unknown') return []
    const read = [...text.matchAll(new RegExp(`steps\\.${id}\\.outputs\\.([\\w-]+)`, 'g'))]
    return read
      .map(([, output = '']) => output)
      .filter((output) => !(output in file.outputs))
      .map((output) => `${uses} has no output ${output}`)
  })
}

function actionOf(uses: string | undefined) {
  if (uses === undefined || !uses.startsWith(self)) return undefined
  const [path = '', version] = uses.slice(self.length).split('@')
  const folder = path.replace(/^\//, '') || '.'
  const exists = existsSync(join(root, folder, 'action.yml'))
  return exists && version === publishedAction.ref ? readActionFile(root, folder) : 'unknown'
}
