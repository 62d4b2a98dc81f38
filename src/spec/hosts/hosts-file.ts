import { z } from 'zod'
import { dnsLabel, ipv4Range } from '../schema/field-format.ts'
import { networkSchema } from '../schema/schema-hetzner.ts'
import {
  addonSchema,
  addonsSchema,
  cniSchema,
  kubernetesSchema,
} from '../schema/schema-kubernetes.ts'
import { policySchema, stateSchema } from '../schema/schema-state.ts'
import { upgradeSchema } from '../schema/schema-upgrade.ts'
import { hostsSchema } from './host-schema.ts'
import { kubeadmSchema } from './kubeadm-schema.ts'
import { sshSchema } from './login-schema.ts'

const hostsNetworkSchema = z.strictObject({
  podRange: ipv4Range()
    .default('10.244.0.0/16')
    .describe(
      'The range that pods have their addresses in, a /24 of it for each node. It cannot be changed later.',
    ),
  serviceRange: ipv4Range()
    .default('10.96.0.0/12')
    .describe('The range of Kubernetes service addresses. It cannot be changed later.'),
  dnsDomain: networkSchema.shape.dnsDomain,
})

const hostsPolicySchema = policySchema.pick({
  unknownVersions: true,
  unapproved: true,
  onNodeConfigDrift: true,
  onAddonDrift: true,
})

const hostsAddonsSchema = addonsSchema.extend({
  hcloudCcm: addonSchema('the Hetzner cloud controller manager', false)
    .prefault({})
    .describe('Not for hosts that exist yet.'),
  hcloudCsi: addonSchema('the Hetzner CSI driver', false)
    .prefault({})
    .describe('Not for hosts that exist yet.'),
})

/** The cluster file of hosts that exist (ADR 46). */
export const hostsFileSchema = z
  .strictObject({
    clusterName: dnsLabel().describe('Name of the cluster. It cannot be changed later.'),
    hosts: hostsSchema.describe('The hosts, each of them a node.'),
    ssh: sshSchema.prefault({}).describe('How all hosts are reached, unless one has its own way.'),
    kubeadm: kubeadmSchema.describe('What makes nodes of them.'),
    network: hostsNetworkSchema.prefault({}).describe('The ranges of pods and services.'),
    kubernetes: kubernetesSchema.describe('The Kubernetes that runs on them.'),
    cni: cniSchema.prefault({}).describe('The network addon of the cluster.'),
    addons: hostsAddonsSchema.prefault({}).describe('What is installed into the cluster besides.'),
    state: stateSchema.prefault({}).describe('Where the cluster’s secrets and inventory are kept.'),
    upgrade: upgradeSchema
      .prefault({})
      .describe('How nodes are stopped, by an upgrade or by an apply.'),
    policy: hostsPolicySchema.prefault({}).describe('What is done where it could hurt.'),
  })
  .describe('A Kubernetes cluster on hosts that exist.')

export type HostsFile = z.output<typeof hostsFileSchema>
export type HostInFile = HostsFile['hosts'][number]
