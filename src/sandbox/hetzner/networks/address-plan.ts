import ipaddr from 'ipaddr.js'
import {
  type Cidr,
  cidrContains,
  cidrHasAddress,
  cidrHost,
  cidrSize,
  cidrsOverlap,
  formatCidr,
  parseCidr,
} from '../../ip-range.ts'
import { invalidInput, refused } from '../api/api-error.ts'
import type { HetznerState } from '../hetzner-state.ts'
import type { NetworkRecord, Subnet } from './network.ts'

const privateRanges = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'].map(readCidr)
/** An address that Hetzner keeps for its own gateway in every network. */
const reservedAddress = '172.31.1.1'

/** A range that is known to be well formed. */
export function readCidr(text: string): Cidr {
  const range = parseCidr(text)
  if (range === undefined) throw new Error(`no range: ${text}`)
  return range
}

export function isPrivateRange(range: Cidr): boolean {
  return privateRanges.some((outer) => cidrContains(outer, range))
}

/** The first address of a network: the gateway of all its subnets, wherever they lie. */
export function gatewayOf(network: { readonly ipRange: string }): string {
  return cidrHost(readCidr(network.ipRange), 1)
}

/** Checks a new subnet's range, or finds the first free /24 where none is asked for. */
export function planSubnet(network: NetworkRecord, ipRange: string | undefined): string {
  const whole = readCidr(network.ipRange)
  const taken = [
    ...network.subnets.map((subnet) => readCidr(subnet.ipRange)),
    ...network.routes.flatMap((route) =>
      route.destination === '0.0.0.0/0' ? [] : [readCidr(route.destination)],
    ),
  ]
  if (ipRange === undefined) return firstFreeSubnet(whole, taken)
  const range = parseCidr(ipRange)
  if (range === undefined || range.prefix > 30 || !cidrContains(whole, range)) {
    throw invalidInput('ip_range is not a range of the network')
  }
  if (taken.some((other) => cidrsOverlap(other, range))) {
    throw invalidInput('ip_range overlaps with another subnet or route')
  }
  return ipRange
}

/** Where a new member is put: at `ip`, within `ip_range`, or where Hetzner chooses. */
export function planAddress(
  state: HetznerState,
  network: NetworkRecord,
  zone: string,
  wanted: { readonly ip?: string | undefined; readonly ipRange?: string | undefined },
): string {
  const subnets = candidateSubnets(network, zone, wanted.ipRange)
  if (subnets.length === 0) {
    throw refused('no_subnet_available', `network has no subnet in network zone ${zone}`)
  }
  const taken = takenAddresses(state, network)
  if (wanted.ip === undefined) return firstFreeAddress(network, subnets, taken)
  ensureUsable(network, subnets, wanted.ip)
  if (taken.has(wanted.ip)) {
    throw refused('ip_not_available', `ip ${wanted.ip} is not available`)
  }
  return wanted.ip
}

/** The subnet that holds an address; undefined for none. */
export function subnetOf(network: NetworkRecord, ip: string): Subnet | undefined {
  return network.subnets.find((subnet) => cidrHasAddress(readCidr(subnet.ipRange), ip))
}

/** Every address of the network that a server or load balancer has, alias IPs included. */
export function takenAddresses(state: HetznerState, network: NetworkRecord): Set<string> {
  const servers = [...state.servers.values()].flatMap((server) =>
    [...server.privateNets, ...server.attaching]
      .filter((net) => net.network === network.id)
      .flatMap((net) => [net.ip, ...net.aliasIps]),
  )
  const balancers = [...state.loadBalancers.values()].flatMap((balancer) =>
    [...balancer.privateNets, ...balancer.attaching]
      .filter((net) => net.network === network.id)
      .map((net) => net.ip),
  )
  return new Set([...servers, ...balancers])
}

/** 422 unless a member of these subnets may have this address. */
export function ensureUsable(network: NetworkRecord, subnets: readonly Subnet[], ip: string): void {
  const subnet = subnets.find(({ ipRange }) => cidrHasAddress(readCidr(ipRange), ip))
  if (subnet === undefined || !ipaddr.IPv4.isValidFourPartDecimal(ip)) {
    throw invalidInput(`ip ${ip} is not in a subnet of the network`)
  }
  if (isReserved(network, subnet, ip)) throw invalidInput(`ip ${ip} is reserved`)
}

function candidateSubnets(
  network: NetworkRecord,
  zone: string,
  ipRange: string | undefined,
): Subnet[] {
  const inZone = network.subnets.filter((subnet) => subnet.networkZone === zone)
  if (ipRange === undefined) return inZone
  const exact = inZone.filter((subnet) => subnet.ipRange === ipRange)
  if (exact.length === 0) throw invalidInput(`ip_range ${ipRange} is no subnet of the network`)
  return exact
}

/** Hetzner takes the last subnet in the order of their ranges; the lowest free host is our own rule. */
function firstFreeAddress(
  network: NetworkRecord,
  subnets: readonly Subnet[],
  taken: ReadonlySet<string>,
): string {
  const last = subnets
    .toSorted((a, b) => readCidr(a.ipRange).first - readCidr(b.ipRange).first)
    .at(-1)
  const range = last === undefined ? undefined : readCidr(last.ipRange)
  if (last !== undefined && range !== undefined) {
    for (let host = 1; host < cidrSize(range) - 1; host++) {
      const ip = cidrHost(range, host)
      if (!taken.has(ip) && !isReserved(network, last, ip)) return ip
    }
  }
  throw refused('no_subnet_available', 'network has no free address')
}

function isReserved(network: NetworkRecord, subnet: Subnet, ip: string): boolean {
  const range = readCidr(subnet.ipRange)
  return [reservedAddress, gatewayOf(network), cidrHost(range, 0), cidrHost(range, -1)].includes(ip)
}

function firstFreeSubnet(whole: Cidr, taken: readonly Cidr[]): string {
  const count = cidrSize(whole) / 256
  for (let index = 0; index < count; index++) {
    const range = { first: whole.first + index * 256, prefix: Math.max(24, whole.prefix) }
    if (!taken.some((other) => cidrsOverlap(other, range))) return formatCidr(range)
  }
  throw refused('no_subnet_available', 'network has no free range for a subnet')
}
