import type { ActionName } from '../src/actions/action-table.ts'

/** What action.yml cannot say about an action: for people who choose one, and for its example. */
export interface ActionNote {
  /** When to take it, in a sentence or two. */
  readonly when: string
  /** What the job's token must be allowed, and why. */
  readonly permissions: Readonly<Record<string, { readonly level: 'read' | 'write'; why: string }>>
  /** What the example runs on. */
  readonly on: string
  /** Inputs of the example besides the token and, where there is such an input, the identity. */
  readonly inputs?: Readonly<Record<string, string>>
  /** Steps of the example after the action's own. */
  readonly after?: readonly string[]
}

/** What a workflow evaluates. */
export function expression(text: string): string {
  return `\${{ ${text} }}`
}

const writeState = { level: 'write', why: 'to keep the state on its branch' } as const
const writeComment = { level: 'write', why: 'to comment the plan' } as const
const readApproval = {
  level: 'read',
  why: 'to see what the merged pull request showed',
} as const
const readRuns = {
  level: 'read',
  why: 'to see that a run which left its lock behind has ended',
} as const

const onPush = 'push: { branches: [main] }'
const byHand = 'workflow_dispatch: {}'
const nodesStep = [
  '      - run: kubectl get nodes',
  '        env:',
  `          KUBECONFIG: ${expression('steps.cluster.outputs.kubeconfig')}`,
]

/** The object storage, for a step of its own; never inputs, which a log may show. */
const storageEnvironment = [
  '        env:',
  '          AWS_ENDPOINT_URL_S3: https://fsn1.your-objectstorage.com',
  `          AWS_ACCESS_KEY_ID: ${expression('secrets.S3_ACCESS_KEY_ID')}`,
  `          AWS_SECRET_ACCESS_KEY: ${expression('secrets.S3_SECRET_ACCESS_KEY')}`,
]

export const actionNotes: Readonly<Record<ActionName, ActionNote>> = {
  reconcile: {
    when: 'The one to take unless you need the pipeline in parts. What it does depends on the event: a plan on `pull_request` and `merge_group`, an apply on `push` and `workflow_dispatch` (from the default branch alone), a report of drift on `schedule`. The root of the suite is the same action.',
    permissions: {
      contents: writeState,
      'pull-requests': writeComment,
      actions: readRuns,
    },
    on: onPush,
    after: nodesStep,
  },
  'build-image': {
    when: 'Snapshots are also built by an apply where one is missing. Take this one to have them before: it needs no state and no identity.',
    permissions: { contents: { level: 'read', why: 'to read the cluster file' } },
    on: byHand,
  },
  'reconcile-infra': {
    when: 'The first part of an apply, for pipelines that do something between the parts: everything at Hetzner, and the secrets that the later parts need.',
    permissions: { contents: writeState, 'pull-requests': readApproval, actions: readRuns },
    on: onPush,
  },
  'talos-bootstrap': {
    when: 'The second part of an apply: the nodes get their configs and Kubernetes comes up, without a network yet. Nodes are Ready after [install-addons](#install-addons).',
    permissions: { contents: writeState, 'pull-requests': readApproval, actions: readRuns },
    on: onPush,
  },
  'install-addons': {
    when: 'The third part of an apply: the network, the controllers of Hetzner and the CSR approver, and the wait until every node is Ready.',
    permissions: { contents: writeState, 'pull-requests': readApproval, actions: readRuns },
    on: onPush,
    after: nodesStep,
  },
  upgrade: {
    when: 'A push never changes the version of Talos or Kubernetes: the plan says that an upgrade waits, and this is its button. When both change, one press makes both. It stops at the first node that does not come well; run again, it goes on.',
    permissions: { contents: writeState, actions: readRuns },
    on: byHand,
  },
  snapshot: {
    when: 'On a schedule, so that there is always a snapshot to go back to: [disaster recovery](../disaster-recovery.md) has the drill. It takes no lock and changes nothing. The object storage is named by the variables that every S3 client knows.',
    permissions: {
      contents: { level: 'read', why: 'to read the cluster file and the state' },
      actions: readRuns,
    },
    on: "schedule: [{ cron: '17 2 * * *' }]",
    inputs: { to: 's3://my-bucket/demo/' },
    after: storageEnvironment,
  },
  restore: {
    when: 'When the quorum of etcd is lost, or its data is gone on every control plane. Refuses as long as a control plane that may have a vote does not answer, and an etcd that is alive unless `discard-etcd` is true. [Disaster recovery](../disaster-recovery.md) says what to do first.',
    permissions: { contents: writeState, actions: readRuns },
    on: `workflow_dispatch:
    inputs:
      snapshot: { description: 's3://bucket/key', required: true, type: string }
      confirm: { description: The name of the cluster, required: true, type: string }`,
    inputs: { snapshot: expression('inputs.snapshot'), confirm: expression('inputs.confirm') },
    after: storageEnvironment,
  },
  destroy: {
    when: "Deletes what carries the cluster's mark and nothing else, and its state in the end. The input `confirm` must be the name of the cluster.",
    permissions: { contents: writeState, actions: readRuns },
    on: `workflow_dispatch:
    inputs:
      confirm: { description: The name of the cluster, required: true, type: string }`,
    inputs: { confirm: expression('inputs.confirm') },
  },
}
