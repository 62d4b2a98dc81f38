import { z } from 'zod'
import { dnsLabel, filled } from '../schema/field-format.ts'
import { taintSchema } from '../schema/schema-nodes.ts'
import { hostKeyField, hostSshSchema } from './login-schema.ts'

export const hostRoles = ['control-plane', 'worker', 'gpu-worker'] as const

export const waysToRemove = ['keep', 'reset', 'purge'] as const

/** What happens to a host that leaves the cluster. */
export const onRemoveSchema = z.enum(waysToRemove)

const hostSchema = z.strictObject({
  name: dnsLabel().describe('Name of the host and of its node, unique in the cluster.'),
  address: filled().describe('Host name or address at which it is reached by SSH.'),
  nodeIp: filled()
    .optional()
    .describe(
      'The IPv4 address at which the other nodes reach it. Derived: address, where that is one.',
    ),
  role: z
    .enum(hostRoles)
    .describe(
      'control-plane, worker or gpu-worker. Nodes of GPU workers have the label nvidia.com/gpu.present=true and the taint nvidia.com/gpu=present:NoSchedule.',
    ),
  hostKey: hostKeyField,
  ssh: hostSshSchema.prefault({}).describe('What differs from ssh for this host.'),
  labels: z.record(z.string(), z.string()).default({}).describe('Kubernetes labels of the node.'),
  taints: z
    .array(taintSchema)
    .default([])
    .describe('Kubernetes taints of the node, besides those of its role.'),
  onRemove: onRemoveSchema
    .optional()
    .describe('What happens to it when it leaves. kubeadm.onRemove by default.'),
})

export const hostsSchema = z.array(hostSchema).min(1)
