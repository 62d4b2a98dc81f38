import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { canonicalJson } from '../../../lib/canonical-json.ts'
import type { FirewallRule } from '../../../spec/cluster-spec.ts'
import type { ApiFirewallRule, FirewallRuleBody } from '../../api/firewalls.ts'

/** A rule in the one form in which it is compared; what it does not have is null or empty. */
export const ruleSpecSchema = z.object({
  direction: z.string(),
  protocol: z.string(),
  port: z.string().nullable(),
  sources: z.array(z.string()),
  destinations: z.array(z.string()),
  description: z.string().nullable(),
})
export type RuleSpec = z.infer<typeof ruleSpecSchema>

/** Hetzner takes this many ranges in one rule. */
const rangesPerRule = 100

/** The rules as Hetzner can hold them, each once, in an order that depends on nothing but themselves. */
export function canonicalRules(rules: readonly RuleSpec[]): RuleSpec[] {
  const byText = new Map(rules.flatMap(splitRule).map((rule) => [canonicalJson(rule), rule]))
  return [...byText.keys()].sort().flatMap((text) => byText.get(text) ?? [])
}

export function fromSpecRule(rule: FirewallRule): RuleSpec {
  return {
    direction: rule.direction,
    protocol: rule.protocol,
    port: rule.port ?? null,
    sources: canonicalRanges(rule.sources),
    destinations: canonicalRanges(rule.destinations),
    description: rule.description || null,
  }
}

export function fromApiRule(rule: ApiFirewallRule): RuleSpec {
  return {
    direction: rule.direction,
    protocol: rule.protocol,
    port: rule.port ?? null,
    sources: canonicalRanges(rule.source_ips),
    destinations: canonicalRanges(rule.destination_ips),
    description: rule.description || null,
  }
}

/** Only what Hetzner allows in a rule of this direction and protocol. */
export function toApiRule(rule: RuleSpec): FirewallRuleBody {
  return {
    direction: rule.direction,
    protocol: rule.protocol,
    ...(rule.port === null ? {} : { port: rule.port }),
    ...(rule.direction === 'in'
      ? { source_ips: rule.sources }
      : { destination_ips: rule.destinations }),
    ...(rule.description === null ? {} : { description: rule.description }),
  }
}

/** IPv6 comes back from Hetzner in its shortest form, so that is the form to compare. */
function canonicalRanges(ranges: readonly string[]): string[] {
  return [...new Set(ranges.map(canonicalRange))].sort()
}

function canonicalRange(text: string): string {
  const full = text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`
  if (!ipaddr.isValidCIDR(full)) return text
  const [address, prefix] = ipaddr.parseCIDR(full)
  return `${address.toString()}/${prefix}`
}

function splitRule(rule: RuleSpec): RuleSpec[] {
  const side = rule.direction === 'in' ? 'sources' : 'destinations'
  const ranges = rule[side]
  if (ranges.length <= rangesPerRule) return [rule]
  return Array.from({ length: Math.ceil(ranges.length / rangesPerRule) }, (_, index) => ({
    ...rule,
    [side]: ranges.slice(index * rangesPerRule, (index + 1) * rangesPerRule),
  }))
}
