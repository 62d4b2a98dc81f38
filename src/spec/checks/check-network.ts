import {
  type Cidr,
  cidrContains,
  cidrHasAddress,
  cidrSize,
  cidrSubnet,
  cidrsOverlap,
  formatCidr,
  parseCidr,
} from '../../lib/cidr.ts'
import { longestNetworkPrefix, type RangeName, rangeNames } from '../derive-ranges.ts'
import type { Path } from '../yaml/yaml-source.ts'
import type { CheckContext, CheckFinding } from './spec-check.ts'

/** Hetzner networks are made of these (RFC 1918). */
const privateRanges = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']

/** Services may also use what carriers use (RFC 6598). */
const serviceRanges = [...privateRanges, '100.64.0.0/10']

/** Hetzner keeps this address for itself in every network. */
const reservedAddress = '172.31.1.1'

/** A range of the network by its name, `cidr` being the whole. */
interface NamedRange {
  readonly name: RangeName | 'cidr'
  readonly path: Path
  readonly range: Cidr
  /** Whether the file itself gives it. */
  readonly given: boolean
}

/** The ranges: well-formed, inside the network, apart from each other. */
export function checkNetwork(context: CheckContext): CheckFinding[] {
  const names = ['cidr', ...rangeNames] as const
  const malformed: CheckFinding[] = []
  const ranges = new Map<string, NamedRange>()
  for (const name of names) {
    const text = context.spec.network[name]
    const path = ['network', name]
    const range = parseCidr(text)
    if (range === undefined) malformed.push(notARange(path, text))
    else ranges.set(name, { name, path, range, given: context.file.network[name] === text })
  }
  const network = ranges.get('cidr')
  // Without the whole, its parts were derived from another one: nothing can be said of them.
  if (network === undefined) return malformed
  const wholeIsWrong = checkWhole(network)
  if (wholeIsWrong.length > 0) return [...malformed, ...wholeIsWrong]
  const parts = [...ranges.values()].filter(({ name }) => name !== 'cidr')
  return [
    ...malformed,
    ...parts.flatMap((part) => checkInside(part, network)),
    ...parts.flatMap((part, index) =>
      parts.slice(0, index).flatMap((other) => checkApart(other, part)),
    ),
    ...parts.flatMap((part) => checkReserved(part, network)),
  ]
}

function checkWhole({ range, path }: NamedRange): CheckFinding[] {
  if (!isWithin(range, privateRanges)) {
    return [
      {
        severity: 'error',
        path,
        message: `network.cidr is ${formatCidr(range)}, which is no private range`,
        hint: `Choose one within ${privateRanges.join(', ')}.`,
      },
    ]
  }
  if (range.prefix > longestNetworkPrefix) {
    return [
      {
        severity: 'error',
        path,
        message: `network.cidr is a /${range.prefix}; Hetzner takes no network smaller than /${longestNetworkPrefix}`,
        hint: 'Choose a larger range: a /16 leaves room for everything.',
      },
    ]
  }
  return []
}

function checkInside({ name, path, range }: NamedRange, network: NamedRange): CheckFinding[] {
  if (cidrContains(network.range, range)) return []
  // Service addresses exist inside the nodes only; they need not be in the network.
  if (name === 'serviceRange') return checkServices(path, range)
  return [
    {
      severity: 'error',
      path,
      message: `network.${name} ${formatCidr(range)} is not inside network.cidr ${formatCidr(network.range)}`,
      hint: `Remove the line to have one derived, or choose a range inside ${formatCidr(network.range)}.`,
      involves: [network.path],
    },
  ]
}

function checkServices(path: Path, range: Cidr): CheckFinding[] {
  if (isWithin(range, serviceRanges)) return []
  return [
    {
      severity: 'error',
      path,
      message: `network.serviceRange ${formatCidr(range)} would hide public addresses of the same numbers`,
      hint: `Choose one within ${serviceRanges.join(', ')}.`,
      involves: [['network', 'cidr']],
    },
  ]
}

function isWithin(range: Cidr, outer: readonly string[]): boolean {
  return outer.some((text) => {
    const parsed = parseCidr(text)
    return parsed !== undefined && cidrContains(parsed, range)
  })
}

function checkApart(a: NamedRange, b: NamedRange): CheckFinding[] {
  if (!cidrsOverlap(a.range, b.range)) return []
  const [culprit, other] = b.given ? [b, a] : [a, b]
  const rest = other.given
    ? 'Move one of them.'
    : `Write network.${other.name}, which was derived from network.cidr, or move network.${culprit.name}.`
  return [
    {
      severity: 'error',
      path: culprit.path,
      message: `network.${culprit.name} ${formatCidr(culprit.range)} overlaps network.${other.name} ${formatCidr(other.range)}`,
      hint: rest,
      involves: [other.path, ['network', 'cidr']],
    },
  ]
}

function checkReserved({ name, path, range }: NamedRange, network: NamedRange): CheckFinding[] {
  const gateway = cidrSubnet(network.range, 32 - network.range.prefix, 1)
  const holdsGateway = name === 'loadBalancerRange' && cidrContains(range, gateway)
  const isSubnet = name === 'nodeRange' || name === 'loadBalancerRange'
  if (isSubnet && cidrHasAddress(range, reservedAddress)) {
    return [reserved(name, path, range, reservedAddress, network.path)]
  }
  if (!holdsGateway) return []
  const [address = ''] = formatCidr(gateway).split('/')
  return [reserved(name, path, range, address, network.path)]
}

function reserved(
  name: string,
  path: Path,
  range: Cidr,
  address: string,
  network: Path,
): CheckFinding {
  return {
    severity: 'error',
    path,
    message: `network.${name} ${formatCidr(range)} holds ${address}, which Hetzner keeps for itself`,
    hint: 'Choose a range without it.',
    involves: [network],
  }
}

/** Why a text is no IPv4 range, and which one was probably meant. */
export function notARange(path: Path, text: string): CheckFinding {
  const [address = '', prefixText = ''] = text.split('/')
  const prefix = Number(prefixText)
  const parsed = parseCidr(`${address}/32`)
  const isAddress = parsed !== undefined && prefix <= 32
  const size = cidrSize({ first: 0, prefix })
  return {
    severity: 'error',
    path,
    message: isAddress
      ? `${path.join('.')} is ${text}, whose address is not the first of a /${prefix}`
      : `${path.join('.')} is ${text}, which is no IPv4 range`,
    hint: isAddress
      ? `Write ${formatCidr({ first: parsed.first - (parsed.first % size), prefix })}.`
      : 'Write a range such as 10.0.0.0/16.',
  }
}
