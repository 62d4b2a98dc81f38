import ipaddr from 'ipaddr.js'

/** An address as Go's net/netip reads it; IPv6 may have a zone. */
export function isIpAddress(text: string): boolean {
  const [address = '', ...zone] = text.split('%')
  if (zone.length === 0) return isPlainAddress(text)
  return zone.length === 1 && zone[0] !== '' && ipaddr.IPv6.isValid(address)
}

/** The same without a zone, as Go's older net package reads it. */
export function isPlainAddress(text: string): boolean {
  if (text.includes('%')) return false
  return text.includes(':') ? ipaddr.IPv6.isValid(text) : ipaddr.IPv4.isValidFourPartDecimal(text)
}

/** An address with the length of its prefix; bits of the host may be set. */
export function isIpPrefix(text: string): boolean {
  const slash = text.lastIndexOf('/')
  if (slash === -1) return false
  const [address, bits] = [text.slice(0, slash), text.slice(slash + 1)]
  if (!isPlainAddress(address) || !/^(0|[1-9]\d{0,2})$/.test(bits)) return false
  return Number(bits) <= (address.includes(':') ? 128 : 32)
}

/** A range, or an address that stands for itself alone; a `!` in front excludes it. */
export function isSubnetPattern(text: string): boolean {
  const range = text.replace(/^!/, '')
  return isIpPrefix(range) || isIpAddress(range)
}

export function isAddressOrPrefix(text: string): boolean {
  return text.includes('/') ? isIpPrefix(text) : isPlainAddress(text)
}

/** `10.0.0.1:51820` or `[fd00::1]:51820`. */
export function isAddressWithPort(text: string): boolean {
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:[\]]*)):(\d{1,5})$/.exec(text) ?? []
  if (port === undefined || Number(port) > 65_535 || !/^(0|[1-9]\d*)$/.test(port)) return false
  if (plain !== undefined) return isPlainAddress(plain)
  return bracketed?.includes(':') === true && isIpAddress(bracketed)
}

/** Whether it is the address that means any: `0.0.0.0`, `::`, with or without a prefix. */
export function isUnspecified(text: string): boolean {
  const [address = ''] = text.split('/')
  return isPlainAddress(address) && /^[0.:]+$/.test(address)
}
