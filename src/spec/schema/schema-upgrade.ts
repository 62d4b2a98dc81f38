import { z } from 'zod'
import { filled, formatted } from './field-format.ts'

/** The kinds of workloads as people write them, and as Kubernetes does. */
export const workloadKinds: Readonly<Record<string, string>> = {
  deployment: 'Deployment',
  statefulset: 'StatefulSet',
  daemonset: 'DaemonSet',
}

const workloadForm = /^(deployment|statefulset|daemonset)\/[a-z0-9][-a-z0-9]*\/[a-z0-9][-a-z0-9.]*$/

const workload = formatted(
  workloadForm,
  'must name a workload as kind/namespace/name, such as statefulset/shop/database',
  (written) => {
    const lower = written.toLowerCase()
    if (workloadForm.test(lower)) return `Write ${lower}.`
    if (/^(deployment|statefulset|daemonset)\/[^/]+$/.test(lower))
      return `Name the namespace too: ${lower.replace('/', '/default/')}.`
    return 'Kinds are deployment, statefulset and daemonset; for others see upgrade.conditions.'
  },
)

/** An object with a condition that must be True. */
export const conditionSchema = z.strictObject({
  apiVersion: formatted(
    /^([a-z0-9.-]+\/)?v[0-9][a-z0-9]*$/,
    'must be the apiVersion of a kind, such as postgresql.cnpg.io/v1',
  ).describe('apiVersion of the object.'),
  kind: filled().describe('Kind of the object.'),
  namespace: filled().optional().describe('Its namespace; left out for a kind that lives in none.'),
  name: filled().describe('Its name.'),
  condition: filled().describe(
    'Type of the condition in its status that must be True, such as Ready.',
  ),
})

export const upgradeSchema = z.strictObject({
  workloads: z
    .array(workload)
    .default([])
    .describe(
      'Workloads that must be rolled out and available before each node is stopped, as kind/namespace/name: statefulset/shop/database.',
    ),
  conditions: z
    .array(conditionSchema)
    .default([])
    .describe(
      'Objects of any kind with a condition that must be True before each node is stopped.',
    ),
  maxUnavailable: z
    .int()
    .min(1)
    .max(100)
    .default(1)
    .describe(
      'How many nodes may be rebooted, resized or upgraded, or have components of Kubernetes restarted, at the same time, in the whole cluster. Control planes go one at a time whatever it is. Nodes that are replaced count until their successors are in service, those that are removed until they have left, and those that an earlier run left out of service until they are back.',
    ),
  gateMinutes: z
    .int()
    .min(1)
    .max(240)
    .default(10)
    .describe(
      'How many minutes a run waits for these before it stops. Run again, it continues with the nodes that are left.',
    ),
})
