import { isIPv4, isIPv6 } from 'node:net'

/** An IPv4 range: its first address as a number, and its prefix length. */
export interface Cidr {
  readonly first: number
  readonly prefix: number
}

const ranges = /^([\d.]+)\/(\d{1,2})$/

/** Reads `10.0.0.0/16`; undefined unless it is an IPv4 range whose host bits are empty. */
export function parseCidr(text: string): Cidr | undefined {
  const [, address = '', bits = ''] = ranges.exec(text) ?? []
  const prefix = Number(bits)
  if (!isIPv4(address) || prefix > 32) return undefined
  const first = toNumber(address)
  return first % 2 ** (32 - prefix) === 0 ? { first, prefix } : undefined
}

/** Whether it is an IPv4 or IPv6 range whose host bits are empty, as Hetzner's firewalls want them. */
export function isNetworkCidr(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/')
  if (rest.length > 0 || !/^\d{1,3}$/.test(bits)) return false
  if (isIPv4(address)) return parseCidr(text) !== undefined
  if (!isIPv6(address) || address.includes('%') || Number(bits) > 128) return false
  return sixteenBytes(address) % 2n ** BigInt(128 - Number(bits)) === 0n
}

export function formatCidr({ first, prefix }: Cidr): string {
  return `${toText(first)}/${prefix}`
}

/** How many addresses a range has, the first and the last included. */
export function cidrSize({ prefix }: Cidr): number {
  return 2 ** (32 - prefix)
}

/** The `index`th address of a range; a negative index counts from the end, -1 being the last. */
export function cidrHost(range: Cidr, index: number): string {
  return toText(range.first + (index < 0 ? cidrSize(range) + index : index))
}

export function cidrContains(outer: Cidr, inner: Cidr): boolean {
  return inner.prefix >= outer.prefix && cidrsOverlap(outer, inner)
}

/** Of two ranges one holds the other, or they have nothing in common. */
export function cidrsOverlap(a: Cidr, b: Cidr): boolean {
  const size = Math.max(cidrSize(a), cidrSize(b))
  return Math.floor(a.first / size) === Math.floor(b.first / size)
}

/** Whether an IPv4 address lies in a range. */
export function cidrHasAddress(range: Cidr, address: string): boolean {
  return isIPv4(address) && cidrsOverlap(range, { first: toNumber(address), prefix: 32 })
}

function toNumber(address: string): number {
  return Buffer.from(address.split('.').map(Number)).readUInt32BE()
}

function toText(value: number): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes.join('.')
}

/** An IPv6 address as one number. Its last two groups may be written as an IPv4 address. */
function sixteenBytes(address: string): bigint {
  const plain = address.replace(/[\d.]+\.\d+$/, (four) => {
    const value = toNumber(four).toString(16).padStart(8, '0')
    return `${value.slice(0, 4)}:${value.slice(4)}`
  })
  const [before = [], after = []] = plain
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''))
  const empty = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...empty, ...after].reduce(
    (sum, group) => sum * 65_536n + BigInt(`0x${group}`),
    0n,
  )
}
