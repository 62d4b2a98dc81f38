import type { Json } from '../../../lib/json.ts'
import type { KubeObject } from '../model/kube-object.ts'
import { numberAt, objectsAt, textAt, textMapAt } from '../model/read-json.ts'
import { ageCell, ageOf, type Column } from './column.ts'

const name: Column = { name: 'Name', cell: ({ metadata }) => metadata.name }
const age: Column = { name: 'Age', cell: ageCell }

const count =
  (...path: string[]) =>
  (object: KubeObject): Json =>
    numberAt(object, ...path) ?? 0

function pairs(map: Readonly<Record<string, string>>): string {
  const texts = Object.entries(map).map(([key, value]) => `${key}=${value}`)
  return texts.length === 0 ? '<none>' : texts.join(',')
}

const selector = (object: KubeObject) => pairs(textMapAt(object, 'spec', 'selector', 'matchLabels'))

const containers = (part: string) => (object: KubeObject) =>
  objectsAt(object, 'spec', 'template', 'spec', 'containers')
    .map((container) => textAt(container, part))
    .join(',')

const wide: readonly Column[] = [
  { name: 'Containers', priority: 1, cell: containers('name') },
  { name: 'Images', priority: 1, cell: containers('image') },
  { name: 'Selector', priority: 1, cell: selector },
]

const outOf = (part: string) => (object: KubeObject) =>
  `${numberAt(object, 'status', part) ?? 0}/${numberAt(object, 'spec', 'replicas') ?? 0}`

function duration(job: KubeObject, now: number): string {
  const start = textAt(job, 'status', 'startTime')
  const end = textAt(job, 'status', 'completionTime')
  return start === '' ? '' : ageOf(start, end === '' ? now : Date.parse(end))
}

function jobStatus(job: KubeObject): string {
  const done = objectsAt(job, 'status', 'conditions')
    .filter((condition) => textAt(condition, 'status') === 'True')
    .map((condition) => textAt(condition, 'type'))
  return done.includes('Complete') ? 'Complete' : done.includes('Failed') ? 'Failed' : 'Running'
}

export const workloadColumns: Readonly<Record<string, readonly Column[]>> = {
  'deployments.apps': [
    name,
    { name: 'Ready', cell: outOf('readyReplicas') },
    { name: 'Up-to-date', kind: 'integer', cell: count('status', 'updatedReplicas') },
    { name: 'Available', kind: 'integer', cell: count('status', 'availableReplicas') },
    age,
    ...wide,
  ],
  'daemonsets.apps': [
    name,
    { name: 'Desired', kind: 'integer', cell: count('status', 'desiredNumberScheduled') },
    { name: 'Current', kind: 'integer', cell: count('status', 'currentNumberScheduled') },
    { name: 'Ready', kind: 'integer', cell: count('status', 'numberReady') },
    { name: 'Up-to-date', kind: 'integer', cell: count('status', 'updatedNumberScheduled') },
    { name: 'Available', kind: 'integer', cell: count('status', 'numberAvailable') },
    {
      name: 'Node Selector',
      cell: (object) => pairs(textMapAt(object, 'spec', 'template', 'spec', 'nodeSelector')),
    },
    age,
    ...wide,
  ],
  'replicasets.apps': [
    name,
    { name: 'Desired', kind: 'integer', cell: count('spec', 'replicas') },
    { name: 'Current', kind: 'integer', cell: count('status', 'replicas') },
    { name: 'Ready', kind: 'integer', cell: count('status', 'readyReplicas') },
    age,
    ...wide,
  ],
  'statefulsets.apps': [
    name,
    { name: 'Ready', cell: outOf('readyReplicas') },
    age,
    ...wide.slice(0, 2),
  ],
  'jobs.batch': [
    name,
    { name: 'Status', cell: jobStatus },
    {
      name: 'Completions',
      cell: (job) =>
        `${numberAt(job, 'status', 'succeeded') ?? 0}/${numberAt(job, 'spec', 'completions') ?? 1}`,
    },
    { name: 'Duration', cell: duration },
    age,
    ...wide,
  ],
}
