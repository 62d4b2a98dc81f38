import { decodeBase64 } from '../../base64.ts'
import { isAddressWithPort, isIpAddress, isIpPrefix } from './address.ts'
import { isByteSize, isSize, isSizeCondition, parseByteSize } from './byte-size.ts'
import { parseGoUrl } from './go-url.ts'

/** A text of which Talos's own type reads something else. */
export interface TextForm {
  readonly isGood: (text: string, minor: number) => boolean
  /** What it must be, with an example. */
  readonly what: string
}

const address = form(isIpAddress, 'an IP address, such as 10.0.0.1')
const prefix = form(isIpPrefix, 'a range of addresses, such as 10.0.0.0/16')
const endpoint = form(isAddressWithPort, 'an address with a port, such as 10.0.0.1:51820')
const url = form((text) => parseGoUrl(text) !== undefined, 'a URL, such as https://example.org')

/** By the names of Talos's Go types, as the table of fields has them. Those that take an empty text say so. */
export const textForms: Readonly<Record<string, TextForm>> = {
  '(netip.Addr)': orEmpty(address),
  '(netip.Prefix)': orEmpty(prefix),
  '(netip.AddrPort)': orEmpty(endpoint),
  '(network.Addr)': orEmpty(address),
  '(network.Prefix)': orEmpty(prefix),
  '(network.AddrPort)': orEmpty(endpoint),
  '(meta.Addr)': orEmpty(address),
  '(meta.Prefix)': orEmpty(prefix),
  '(meta.AddrPort)': orEmpty(endpoint),
  '(nethelpers.HardwareAddr)': form(
    isHardwareAddress,
    'a hardware address, such as 96:00:00:01:02:03',
  ),
  '(meta.URL)': url,
  '(v1alpha1.Endpoint)': url,
  '(v1alpha1.DiskSize)': form((text) => parseByteSize(text) !== undefined, 'a size, such as 10GB'),
  '(v1alpha1.InstallDiskSizeMatcher)': form(
    isSizeCondition,
    'a condition on a size, such as >= 1TB',
  ),
  '(block.ByteSize)': form(isByteSize, 'a size, such as 10GiB'),
  '(block.Size)': form(isSize, 'a size, such as 10GiB or 80%'),
  '(base64)': form(isBase64, 'base64'),
  // Whether an expression of CEL holds only Talos itself can say.
  '(cel.Expression)': form(() => true, 'an expression'),
}

function form(isGood: TextForm['isGood'], what: string): TextForm {
  return { isGood, what }
}

function orEmpty({ isGood, what }: TextForm): TextForm {
  return { isGood: (text, minor) => text === '' || isGood(text, minor), what }
}

function isHardwareAddress(text: string): boolean {
  return /^([0-9A-Fa-f]{2})*$/.test(text.replaceAll(':', ''))
}

/** Go reads over the ends of lines. */
function isBase64(text: string): boolean {
  return decodeBase64(text.replaceAll(/[\r\n]/g, '')) !== undefined
}
