import ipaddr from 'ipaddr.js'

/** Whether a text is an IPv4 address in four parts or an IPv6 address without zone. */
export function isAddress(text: string): boolean {
  return (
    ipaddr.IPv4.isValidFourPartDecimal(text) || (ipaddr.IPv6.isValid(text) && !text.includes('%'))
  )
}

/** Whether a text is a host name (RFC 1123). `*.` in front is allowed where certificates may have it. */
export function isHostName(text: string, wildcard = false): boolean {
  const name = wildcard ? text.replace(/^\*\./, '') : text
  const label = '[A-Za-z0-9]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?'
  const isNumeric = /^[\d.]+$/.test(name)
  return name.length <= 253 && !isNumeric && new RegExp(`^${label}(\\.${label})*$`).test(name)
}
