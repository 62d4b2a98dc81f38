import { z } from 'zod'
import { filled, formatted, ipv4Range } from './field-format.ts'

export const hetznerSchema = z.strictObject({
  region: filled().describe(
    'The location where everything is created, unless it names another: fsn1, nbg1, hel1, ash, hil or sin.',
  ),
  networkZone: filled()
    .optional()
    .describe(
      'The network zone of the region: eu-central, us-east, us-west or ap-southeast. Derived from the region where it is left out.',
    ),
  sshKeys: z
    .array(filled())
    .default([])
    .describe(
      'Names of SSH keys that the Hetzner project already has. They are given to every server, so that Hetzner sends no root password by mail; Talos itself has no SSH.',
    ),
  serverLimit: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe(
      'How many servers the Hetzner account may have at once (Hetzner shows it in its console and in no API). The plan refuses what would pass it.',
    ),
  network: filled()
    .optional()
    .describe(
      'Name of an existing Hetzner network to put the cluster into. Left out, the cluster has one of its own. Its range must be written as network.cidr.',
    ),
})

const publicAddresses = (version: 'IPv4' | 'IPv6') =>
  z.strictObject({
    controlPlane: z
      .boolean()
      .default(true)
      .describe(`Whether control-plane nodes have a public ${version} address.`),
    workers: z
      .boolean()
      .default(true)
      .describe(`Whether worker nodes have a public ${version} address.`),
  })

export const networkSchema = z.strictObject({
  cidr: ipv4Range()
    .default('10.0.0.0/16')
    .describe(
      'The range of the private network (RFC 1918, /24 or larger). It cannot be moved later.',
    ),
  nodeRange: ipv4Range()
    .optional()
    .describe(
      'The subnet that nodes have their private addresses in. Derived: the third eighth of network.cidr, 10.0.64.0/19 by default. It cannot be changed later.',
    ),
  podRange: ipv4Range()
    .optional()
    .describe(
      'The range that pods have their addresses in, a /24 of it for each node. Derived: the upper half of network.cidr, 10.0.128.0/17 by default. It cannot be changed later.',
    ),
  serviceRange: ipv4Range()
    .optional()
    .describe(
      'The range of Kubernetes service addresses. Derived: the fourth eighth of network.cidr, 10.0.96.0/19 by default. It cannot be changed later.',
    ),
  loadBalancerRange: ipv4Range()
    .optional()
    .describe(
      'The subnet that load balancers have their private addresses in. Derived: the start of the second eighth of network.cidr, 10.0.32.0/24 by default.',
    ),
  dnsDomain: formatted(
    /^(?=.{1,200}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/,
    'must be a DNS name such as cluster.local, in lower case and without a dot at its end',
  )
    .default('cluster.local')
    .describe('The domain of Services and pods. It cannot be changed later.'),
  publicIpv4: publicAddresses('IPv4')
    .prefault({})
    .describe('Which nodes have a public IPv4 address.'),
  publicIpv6: publicAddresses('IPv6')
    .prefault({})
    .describe('Which nodes have a public IPv6 address.'),
})

const ranges = () => z.array(filled())

const firewallRuleSchema = z.strictObject({
  description: z.string().max(255).optional().describe('What the rule is for, for people.'),
  direction: z
    .enum(['in', 'out'])
    .describe('in for what comes to the nodes, out for what leaves them.'),
  protocol: z
    .enum(['tcp', 'udp', 'icmp', 'esp', 'gre'])
    .describe('The protocol that the rule lets through.'),
  port: z
    .union([z.int().min(1).max(65535), filled()])
    .optional()
    .describe(
      'One port (443), a span of ports ("30000-32767") or any. Needed for tcp and udp, and only there.',
    ),
  sources: ranges()
    .optional()
    .describe('IPv4 and IPv6 ranges that may connect. Needed for direction in, and only there.'),
  destinations: ranges()
    .optional()
    .describe(
      'IPv4 and IPv6 ranges that may be reached. Needed for direction out, and only there.',
    ),
})

export const firewallSchema = z.strictObject({
  kubernetesApi: ranges()
    .default([])
    .describe(
      'Ranges that may reach the Kubernetes API (port 6443) from outside. Nobody by default.',
    ),
  talosApi: ranges()
    .default([])
    .describe('Ranges that may reach the Talos API (port 50000) from outside. Nobody by default.'),
  runnerAccess: z
    .boolean()
    .default(true)
    .describe(
      'Whether a run lets its own address in for as long as it lasts. Without it the runner must stand in one of the ranges above.',
    ),
  extraRules: z
    .array(firewallRuleSchema)
    .default([])
    .describe(
      'Further rules of the nodes’ firewall. A first rule of direction out closes all other outgoing traffic.',
    ),
})

export const loadBalancerSchema = z.strictObject({
  type: filled().default('lb11').describe('Load balancer type: lb11, lb21 or lb31.'),
  location: filled()
    .optional()
    .describe('Where the load balancer stands. Derived: hetzner.region.'),
  privateOnly: z
    .boolean()
    .optional()
    .describe(
      'Whether it has no public address. Hetzner’s firewalls do not filter load balancers, so it is private only unless firewall.kubernetesApi admits everybody (0.0.0.0/0).',
    ),
})

export const endpointSchema = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z
        .literal('loadBalancer')
        .describe('The private address of the cluster’s load balancer.'),
    }),
    z.strictObject({
      type: z.literal('dns').describe('A DNS name that you keep.'),
      name: formatted(
        /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)+$/,
        'must be a DNS name such as api.example.com, without scheme and port',
      ).describe(
        'For type dns: the name, without scheme and port. It must lead to every control plane, or to a proxy before them.',
      ),
    }),
    z.strictObject({
      type: z
        .literal('floatingIp')
        .describe('A floating IP of Hetzner. Comes with a later version.'),
    }),
    z.strictObject({
      type: z
        .literal('vip')
        .describe('A private address that control planes share. Comes with a later version.'),
      address: filled().describe('For type vip: the private address.'),
    }),
  ])
  .default({ type: 'loadBalancer' })
