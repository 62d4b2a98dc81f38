import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import {
  defaultHostsWorkflow,
  defaultWorkflow,
} from '../../src/cli/commands/cluster/default-workflow.ts'
import { isJsonObject, type Json } from '../../src/lib/json.ts'
import { fieldAt, textAt } from '../../src/lib/kubernetes-object.ts'
import { publishedAction } from '../../src/lib/published-action.ts'

const folder = join(import.meta.dirname, '../../examples/workflows')
const workflows: [string, Json][] = [
  ...readdirSync(folder).map((name): [string, Json] => [
    name,
    parse(readFileSync(join(folder, name), 'utf8')),
  ]),
  ['the one that init writes', parse(defaultWorkflow('demo', 'cluster.yaml', publishedAction))],
  ['that of hosts', parse(defaultHostsWorkflow('demo', 'cluster.yaml', publishedAction))],
]

/** Every job of the workflows that we give, with its workflow. */
const jobs = workflows.flatMap(([name, workflow]) => {
  const found = fieldAt(workflow, 'jobs')
  return Object.entries(isJsonObject(found) ? found : {}).map(([job, body]) => ({
    job: `${name}: ${job}`,
    group: textAt(body, 'concurrency', 'group') ?? '',
    cancels: fieldAt(body, 'concurrency', 'cancel-in-progress'),
  }))
})

test('a job that changes a cluster or makes an image is never cut off by the next', () => {
  const changing = jobs.filter(({ group }) => /^(apply|images)-/.test(group))
  expect(changing.map(({ job }) => job)).toHaveLength(7)
  expect(changing.filter(({ cancels }) => cancels !== false)).toEqual([])
})
