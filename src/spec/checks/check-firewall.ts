import ipaddr from 'ipaddr.js'
import { isNetworkCidr } from '../../lib/cidr.ts'
import { formatPath } from '../../lib/finding.ts'
import { quoteValue } from '../quote-value.ts'
import { admitsEverybody } from '../resolve-spec.ts'
import type { ClusterFile } from '../schema/schema.ts'
import type { Path } from '../yaml/yaml-source.ts'
import type { CheckContext, CheckFinding } from './spec-check.ts'

type RuleInFile = ClusterFile['firewall']['extraRules'][number]

/** Hetzner's limits for one firewall. */
const mostRules = 50
const mostRangesPerRule = 100

/** Who may reach the nodes: what Hetzner's firewalls accept, and what is probably not meant. */
export function checkFirewall({ file }: CheckContext): CheckFinding[] {
  const { kubernetesApi, talosApi, extraRules } = file.firewall
  return [
    ...checkRanges(kubernetesApi, ['firewall', 'kubernetesApi']),
    ...checkRanges(talosApi, ['firewall', 'talosApi']),
    ...warnOpenTalos(talosApi),
    ...extraRules.flatMap((rule, index) => checkRule(rule, ['firewall', 'extraRules', index])),
    ...checkRuleCount(file.firewall),
    ...warnFirstWayOut(extraRules),
  ]
}

function checkRanges(ranges: readonly string[], path: Path): CheckFinding[] {
  const findings = ranges.flatMap((range, index) => checkRange(range, [...path, index]))
  if (ranges.length <= mostRangesPerRule) return findings
  return [
    ...findings,
    {
      severity: 'error',
      path,
      message: `${formatPath(path)} has ${ranges.length} ranges; a rule of Hetzner's firewall takes ${mostRangesPerRule}`,
      hint: 'Join neighbouring ranges.',
    },
  ]
}

function checkRange(range: string, path: Path): CheckFinding[] {
  if (isNetworkCidr(range)) return []
  const subject = `${formatPath(path)} is ${quoteValue(range)}`
  if (ipaddr.isValid(range) && !range.includes('/')) {
    const prefix = ipaddr.parse(range).kind() === 'ipv4' ? 32 : 128
    return [problem(path, `${subject}, an address and no range`, `Write ${range}/${prefix}.`)]
  }
  if (ipaddr.isValidCIDR(range)) {
    const why = `${subject}, whose address is not the first of its range`
    return [problem(path, why, `Write ${networkOf(range)}.`)]
  }
  return [
    problem(
      path,
      `${subject}, which is no range of addresses`,
      'Write a range such as 203.0.113.0/24 or 2001:db8::/32.',
    ),
  ]
}

function networkOf(range: string): string {
  const [address, prefix] = ipaddr.parseCIDR(range)
  const network =
    address.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(range)
      : ipaddr.IPv6.networkAddressFromCIDR(range)
  return `${network.toString()}/${prefix}`
}

function warnOpenTalos(talosApi: readonly string[]): CheckFinding[] {
  if (!admitsEverybody(talosApi)) return []
  return [
    {
      severity: 'warning',
      path: ['firewall', 'talosApi'],
      message:
        'firewall.talosApi lets everybody reach the Talos API, where a node that has no config yet takes one from anybody',
      hint: 'Name the ranges that you manage the nodes from; a run lets itself in.',
    },
  ]
}

function checkRule(rule: RuleInFile, path: Path): CheckFinding[] {
  return [...checkPort(rule, path), ...checkSides(rule, path)]
}

function checkPort({ protocol, port }: RuleInFile, path: Path): CheckFinding[] {
  const name = formatPath(path)
  const needsPort = protocol === 'tcp' || protocol === 'udp'
  const here = [...path, 'port']
  const involves = [[...path, 'protocol']]
  if (!needsPort && port !== undefined) {
    return [
      {
        ...problem(here, `${name} has a port, but ${protocol} has no ports`, 'Remove the port.'),
        involves,
      },
    ]
  }
  if (needsPort && port === undefined) {
    const hint = 'Add port: a number, a span such as "30000-32767", or any.'
    return [{ ...problem(here, `${name} has no port, which ${protocol} needs`, hint), involves }]
  }
  if (port === undefined || isPort(String(port))) return []
  return [
    problem(
      here,
      `${name}.port is ${quoteValue(String(port))}, which is no port`,
      'Write a number from 1 to 65535, a span such as "30000-32767", or any.',
    ),
  ]
}

function isPort(port: string): boolean {
  if (port === 'any') return true
  const match = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(port)
  if (!match) return false
  const first = Number(match[1])
  const last = Number(match[2] ?? match[1])
  return first >= 1 && first <= last && last <= 65535
}

function checkSides(rule: RuleInFile, path: Path): CheckFinding[] {
  const isIn = rule.direction === 'in'
  const [needed, useless] = isIn
    ? (['sources', 'destinations'] as const)
    : (['destinations', 'sources'] as const)
  const name = formatPath(path)
  const involves = [[...path, 'direction']]
  const findings = checkRanges(rule[needed] ?? [], [...path, needed])
  if (rule[useless] !== undefined) {
    const why = `${name} has ${useless}, which a rule of direction ${rule.direction} does not know`
    findings.push({
      ...problem([...path, useless], why, `Write ${needed}.`),
      atKey: true,
      involves,
    })
  }
  if ((rule[needed] ?? []).length === 0) {
    const why = `${name} has no ${needed}, which a rule of direction ${rule.direction} needs`
    const hint = `Add ${needed}; for everybody, 0.0.0.0/0 and ::/0.`
    findings.push({ ...problem([...path, needed], why, hint), involves })
  }
  return findings
}

function checkRuleCount({
  kubernetesApi,
  talosApi,
  extraRules,
}: ClusterFile['firewall']): CheckFinding[] {
  const own = [kubernetesApi, talosApi].filter((ranges) => ranges.length > 0).length
  const total = own + extraRules.length
  if (total <= mostRules) return []
  return [
    problem(
      ['firewall', 'extraRules'],
      `the firewall would have ${total} rules, ${own} of them for the APIs; Hetzner takes ${mostRules}`,
      'Join rules that differ in their ranges only.',
    ),
  ]
}

/** Any rule of direction out turns Hetzner's default for that direction from allow to deny. */
function warnFirstWayOut(rules: readonly RuleInFile[]): CheckFinding[] {
  const first = rules.findIndex((rule) => rule.direction === 'out')
  if (first < 0) return []
  return [
    {
      severity: 'warning',
      path: ['firewall', 'extraRules', first],
      message:
        'a rule of direction out closes all other outgoing traffic of the nodes: images, NTP and DNS need rules too',
      hint: 'Allow at least tcp 80 and 443, udp 53 and 123 to everywhere, or remove the rules of direction out.',
    },
  ]
}

function problem(path: Path, message: string, hint: string): CheckFinding {
  return { severity: 'error', path, message, hint }
}
