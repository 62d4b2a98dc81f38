import { z } from 'zod'
import { dnsLabel } from './field-format.ts'
import {
  endpointSchema,
  firewallSchema,
  hetznerSchema,
  loadBalancerSchema,
  networkSchema,
} from './schema-hetzner.ts'
import { addonsSchema, cniSchema, kubernetesSchema } from './schema-kubernetes.ts'
import { nodesSchema } from './schema-nodes.ts'
import { policySchema, stateSchema } from './schema-state.ts'
import { talosSchema } from './schema-talos.ts'
import { upgradeSchema } from './schema-upgrade.ts'

/**
 * The cluster file, as people write it. The one source of its types, its defaults, the JSON Schema
 * for editors and the reference page. Only what concerns one field alone is said here; what concerns
 * several is in the checks.
 */
export const clusterFileSchema = z
  .strictObject({
    clusterName: dnsLabel().describe(
      'Name of the cluster: the name of its network and the beginning of the names of its servers. It cannot be changed later.',
    ),
    hetzner: hetznerSchema.describe('Where in Hetzner Cloud the cluster stands.'),
    network: networkSchema.prefault({}).describe('The private network and its ranges.'),
    firewall: firewallSchema
      .prefault({})
      .describe(
        'Who may reach the nodes from outside. Everything is closed, unless it opens something.',
      ),
    loadBalancer: loadBalancerSchema
      .prefault({})
      .describe('The load balancer before the Kubernetes API.'),
    endpoint: endpointSchema.describe(
      'Under which address the Kubernetes API is reached: the load balancer’s, unless it names another.',
    ),
    nodes: nodesSchema.describe('The nodes.'),
    talos: talosSchema.describe('The operating system of the nodes.'),
    kubernetes: kubernetesSchema.describe('The Kubernetes that runs on them.'),
    cni: cniSchema.prefault({}).describe('The network addon of the cluster.'),
    addons: addonsSchema.prefault({}).describe('What is installed into the cluster besides.'),
    state: stateSchema.prefault({}).describe('Where the cluster’s secrets and inventory are kept.'),
    upgrade: upgradeSchema
      .prefault({})
      .describe(
        'How nodes are stopped, by an upgrade or by an apply: what is waited for before, and how many at once.',
      ),
    policy: policySchema.prefault({}).describe('What is done where it could hurt.'),
  })
  .describe('A Kubernetes cluster on Hetzner Cloud.')

/** The file form, with the defaults that stand alone filled in. */
export type ClusterFile = z.output<typeof clusterFileSchema>

export type ControlPlaneInFile = ClusterFile['nodes']['controlPlane']
export type WorkersInFile = ClusterFile['nodes']['workers']
