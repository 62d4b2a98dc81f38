import { z } from 'zod'
import type { DiffRules } from '../../../plan/diff-records.ts'
import type { ClusterRecord } from '../../../plan/record.ts'
import type { ClusterSpec } from '../../../spec/cluster-spec.ts'
import type { ApiFirewall } from '../../api/firewalls.ts'
import type { OwnResource } from '../../own-resources.ts'
import { type ClusterIdentity, ownLabels, resourceLabels } from '../../ownership.ts'
import { ownFacts } from '../record-parts.ts'
import {
  canonicalRules,
  fromApiRule,
  fromSpecRule,
  type RuleSpec,
  ruleSpecSchema,
} from './firewall-rule.ts'

export const firewallSpecSchema = z.object({
  name: z.string(),
  rules: z.array(ruleSpecSchema),
  labels: z.record(z.string(), z.string()),
})
export type FirewallSpec = z.infer<typeof firewallSpecSchema>

/** Ports of the two rules to a node. */
export const kubernetesApiPort = '6443'
export const talosApiPort = '50000'

/**
 * One firewall for all nodes. It is closed: without ranges in the spec nobody reaches either API
 * from outside. (Hetzner filters the public side only; the private network stays open to the nodes.)
 */
export function desireFirewall(spec: ClusterSpec, identity: ClusterIdentity): ClusterRecord {
  const { kubernetesApi, talosApi, extraRules } = spec.firewall
  const firewall: FirewallSpec = {
    name: spec.clusterName,
    rules: canonicalRules([
      ...rule(kubernetesApiPort, kubernetesApi, 'Kubernetes API'),
      ...rule(talosApiPort, talosApi, 'Talos API'),
      ...extraRules.map(fromSpecRule),
    ]),
    labels: resourceLabels(identity, 'firewall'),
  }
  return { kind: 'firewall', name: spec.clusterName, spec: firewall, needs: [] }
}

export function liveFirewall(own: OwnResource<ApiFirewall>): ClusterRecord {
  const firewall = own.item
  const spec: FirewallSpec = {
    name: firewall.name,
    rules: canonicalRules(firewall.rules.map(fromApiRule)),
    labels: ownLabels(firewall.labels),
  }
  return { kind: 'firewall', name: own.name, spec, needs: [], facts: ownFacts(own) }
}

export const firewallRules: DiffRules = {
  create: () => ({ risk: 'additive', reason: 'the nodes have no firewall yet' }),
  delete: () => ({ risk: 'live', reason: 'no node uses it any more' }),
  update: () => ({ action: 'update', risk: 'live', reason: 'changed in place' }),
}

function rule(port: string, sources: readonly string[], description: string): RuleSpec[] {
  if (sources.length === 0) return []
  return [
    fromSpecRule({
      direction: 'in',
      protocol: 'tcp',
      port,
      sources,
      destinations: [],
      description,
    }),
  ]
}
