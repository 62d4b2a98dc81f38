import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { isNetworkCidr } from '../../ip-range.ts'
import { invalidFields } from '../api/api-error.ts'
import type { FirewallRule } from './firewall.ts'

const range = z.string()

export const ruleBody = z.strictObject({
  direction: z.enum(['in', 'out']),
  protocol: z.enum(['tcp', 'udp', 'icmp', 'esp', 'gre']),
  port: z.string().nullish(),
  source_ips: z.array(range).max(100).optional(),
  destination_ips: z.array(range).max(100).optional(),
  description: z.string().max(255).nullish(),
})

export const rulesBody = z.array(ruleBody).max(50)

/** Checks what the shape alone cannot tell, and puts rules into the form in which they come back. */
export function readRules(rules: z.infer<typeof rulesBody>): FirewallRule[] {
  return rules.map((rule, index) => {
    const { direction, protocol, port = null } = rule
    const hasPort = protocol === 'tcp' || protocol === 'udp'
    if (hasPort !== (port !== null) || (port !== null && !isPortRange(port))) {
      throw invalidFields([`rules.${index}.port`])
    }
    const [wanted, other] = direction === 'in' ? sides : [sides[1], sides[0]]
    if (rule[wanted] === undefined || rule[wanted].length === 0) {
      throw invalidFields([`rules.${index}.${wanted}`])
    }
    if ((rule[other]?.length ?? 0) > 0) throw invalidFields([`rules.${index}.${other}`])
    return {
      direction,
      protocol,
      port,
      sourceIps: readRanges(rule.source_ips, `rules.${index}.source_ips`),
      destinationIps: readRanges(rule.destination_ips, `rules.${index}.destination_ips`),
      description: rule.description ?? null,
    }
  })
}

export function renderRule(rule: FirewallRule): Record<string, unknown> {
  return {
    direction: rule.direction,
    protocol: rule.protocol,
    port: rule.port,
    source_ips: rule.sourceIps,
    destination_ips: rule.destinationIps,
    description: rule.description,
  }
}

const sides = ['source_ips', 'destination_ips'] as const

/** `80`, `1024-5000` or `any`. */
function isPortRange(text: string): boolean {
  if (text === 'any') return true
  const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? []
  const isPort = (port: number) => port >= 1 && port <= 65_535
  return isPort(Number(first)) && isPort(Number(last)) && Number(first) <= Number(last)
}

/** Host bits must be empty; IPv6 comes back in its shortest form. */
function readRanges(ranges: readonly string[] | undefined, field: string): string[] {
  return (ranges ?? []).map((text) => {
    if (!isNetworkCidr(text)) throw invalidFields([field])
    const [address, prefix] = ipaddr.parseCIDR(text)
    return `${address}/${prefix}`
  })
}
