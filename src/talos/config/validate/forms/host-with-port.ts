import { isIpAddress } from './address.ts'

/** What Go's net.SplitHostPort takes. */
export function isHostWithPort(text: string): boolean {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([^:[\]]*)):[^:[\]]*$/.exec(text) ?? []
  if (plain !== undefined) return true
  return bracketed !== undefined && (!bracketed.includes(':') || isIpAddress(bracketed))
}
