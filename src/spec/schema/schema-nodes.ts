import { z } from 'zod'
import { dnsLabel, filled } from './field-format.ts'

const part = z.record(z.string(), z.unknown())

/** A strategic merge patch or a JSON patch: YAML text, or the same written in place. */
export const patchSchema = z.union([filled(), part, z.array(part)])

export const taintSchema = z.strictObject({
  key: filled().describe('The key, such as example.com/dedicated.'),
  value: z.string().optional().describe('The value, if the taint has one.'),
  effect: z
    .enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute'])
    .describe('What happens to pods that do not tolerate it.'),
})

const poolFields = {
  type: filled().describe('Hetzner server type, such as cx33 or cax21.'),
  arch: z
    .enum(['amd64', 'arm64'])
    .optional()
    .describe('Architecture of the server type. Derived from the type where it is left out.'),
  locations: z
    .array(filled())
    .min(1)
    .optional()
    .describe(
      'Locations that the nodes are spread over in turn: slot 1 in the first, slot 2 in the second. A node stays where it is while the list names that place, and the plan notes it; one that is replaced goes to the place of its slot. Derived: hetzner.region alone.',
    ),
  labels: z.record(z.string(), z.string()).default({}).describe('Kubernetes labels of the nodes.'),
  annotations: z
    .record(z.string(), z.string())
    .default({})
    .describe('Kubernetes annotations of the nodes.'),
  taints: z
    .array(taintSchema)
    .default([])
    .describe(
      'Kubernetes taints of the nodes. The addons that must run there tolerate them; your own values of an addon replace its list.',
    ),
  patches: z
    .array(patchSchema)
    .default([])
    .describe(
      `Talos machine config patches (strategic merge, or a list of JSON patch operations) for these nodes alone, applied last. \${secret:name} stands for a secret.`,
    ),
}

export const controlPlaneSchema = z.strictObject({
  count: z
    .int()
    .min(1)
    .max(7)
    .default(3)
    .describe('How many control planes: 1, 3, 5 or 7. etcd needs an odd number.'),
  ...poolFields,
})

const workerFields = {
  count: z.int().min(0).max(100).describe('How many nodes the pool has.'),
  ...poolFields,
  autoscaling: z
    .strictObject({
      min: z.int().min(0).max(100).describe('The fewest nodes.'),
      max: z.int().min(1).max(100).describe('The most nodes.'),
    })
    .optional()
    .describe('Bounds of automatic scaling. Comes with a later version.'),
}

const singlePoolSchema = z.strictObject({
  name: dnsLabel().default('workers').describe('Name of the pool.'),
  ...workerFields,
})

const namedPoolSchema = z.strictObject({
  name: dnsLabel().describe(
    'Name of the pool, unique in the cluster; part of the names of its nodes.',
  ),
  ...workerFields,
})

export const nodesSchema = z.strictObject({
  controlPlane: controlPlaneSchema.describe(
    'The nodes that run the Kubernetes control plane and etcd.',
  ),
  workers: z
    .union([singlePoolSchema, z.array(namedPoolSchema)])
    .default([])
    .describe(
      'The nodes that run your pods: a list of named pools, or one pool without a list, which is called workers unless it has a name.',
    ),
})
