import ipaddr from 'ipaddr.js'

/** An IPv4 range: its first address as a number, and its prefix length. */
export interface Cidr {
  readonly first: number
  readonly prefix: number
}

/** Reads `10.0.0.0/16`; undefined unless it is an IPv4 range whose host bits are empty. */
export function parseCidr(text: string): Cidr | undefined {
  if (!ipaddr.IPv4.isValidCIDRFourPartDecimal(text)) return undefined
  const [address, prefix] = ipaddr.IPv4.parseCIDR(text)
  const first = toNumber(address)
  return first % 2 ** (32 - prefix) === 0 ? { first, prefix } : undefined
}

/** Whether it is an IPv4 or IPv6 range whose host bits are empty, as Hetzner's firewalls want them. */
export function isNetworkCidr(text: string): boolean {
  if (!ipaddr.IPv4.isValidCIDRFourPartDecimal(text) && !ipaddr.IPv6.isValidCIDR(text)) return false
  const [address, prefix] = ipaddr.parseCIDR(text)
  const network =
    address.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(text)
      : ipaddr.IPv6.networkAddressFromCIDR(text)
  return network.toString() === address.toString() && prefix >= 0
}

export function formatCidr({ first, prefix }: Cidr): string {
  return `${formatIpv4(first)}/${prefix}`
}

/** How many addresses a range has, the first and the last included. */
export function cidrSize({ prefix }: Cidr): number {
  return 2 ** (32 - prefix)
}

/** The `index`th address of a range; a negative index counts from the end, -1 being the last. */
export function cidrHost(range: Cidr, index: number): string {
  return formatIpv4(range.first + (index < 0 ? cidrSize(range) + index : index))
}

/** The `index`th of the equal parts that result from making the prefix `newBits` longer. */
export function cidrSubnet({ first, prefix }: Cidr, newBits: number, index: number): Cidr {
  const longer = prefix + newBits
  return { first: first + index * 2 ** (32 - longer), prefix: longer }
}

export function cidrContains(outer: Cidr, inner: Cidr): boolean {
  return (
    inner.first >= outer.first && inner.first + cidrSize(inner) <= outer.first + cidrSize(outer)
  )
}

export function cidrsOverlap(a: Cidr, b: Cidr): boolean {
  return a.first < b.first + cidrSize(b) && b.first < a.first + cidrSize(a)
}

/** Whether an IPv4 address lies in a range. */
export function cidrHasAddress(range: Cidr, address: string): boolean {
  if (!ipaddr.IPv4.isValidFourPartDecimal(address)) return false
  return cidrContains(range, { first: toNumber(ipaddr.IPv4.parse(address)), prefix: 32 })
}

function toNumber(address: ipaddr.IPv4): number {
  return address.octets.reduce((sum, octet) => sum * 256 + octet, 0)
}

function formatIpv4(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.')
}
