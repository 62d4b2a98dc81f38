import ipaddr from 'ipaddr.js'
import { isNetworkCidr } from '../../../../lib/cidr.ts'
import type { Json } from '../../../../lib/json.ts'
import type { ConfigDocument } from '../../config-document.ts'
import type { Fault } from '../config-problem.ts'
import type { Rule } from '../config-view.ts'
import { asText, isSetAt, listAt, numberAt } from '../read-config.ts'

/** As machinery 1.14 has them. */
const fewestHostBits = 4
const mostHostBitsOfServices = 20
const mostBitsOfNodes = 16

interface Range {
  readonly bits: number
  readonly all: 32 | 128
}

/** KubeNetworkConfig: one range of each family for pods, and as many for services. */
export const rangesAreWhole: Rule = (document) => {
  const [pods, services] = [listAt(document, 'podSubnets'), listAt(document, 'serviceSubnets')]
  const masks = [maskFaults(document, 'IPv4', 32), maskFaults(document, 'IPv6', 128)].flat()
  return [
    ...masks,
    ...rangeFaults('podSubnets', pods, (range) =>
      masks.length > 0 ? undefined : podFault(document, range),
    ),
    ...rangeFaults('serviceSubnets', services, ({ bits, all }) =>
      all - bits > mostHostBitsOfServices
        ? `must be a /${all - mostHostBitsOfServices} or smaller`
        : undefined,
    ),
    ...(pods.length === services.length
      ? []
      : [{ at: ['serviceSubnets'], message: 'needs as many ranges as podSubnets' }]),
  ]
}

function maskOf(document: ConfigDocument, family: 'IPv4' | 'IPv6'): number {
  const key = `nodeCIDRMaskSize${family}`
  const usual = family === 'IPv4' ? 24 : 64
  return isSetAt(document, key) ? numberAt(document, key) : usual
}

function maskFaults(document: ConfigDocument, family: 'IPv4' | 'IPv6', all: number): Fault[] {
  const mask = maskOf(document, family)
  if (mask >= 1 && mask <= all) return []
  return [{ at: [`nodeCIDRMaskSize${family}`], message: `must be between 1 and ${all}` }]
}

function podFault(document: ConfigDocument, { bits, all }: Range): string | undefined {
  const mask = maskOf(document, all === 32 ? 'IPv4' : 'IPv6')
  if (bits > mask) return `is smaller than a node's own range, a /${mask}`
  return mask - bits > mostBitsOfNodes ? `is too large for nodes with a /${mask} each` : undefined
}

function rangeFaults(
  key: string,
  list: readonly Json[],
  sizeFault: (range: Range) => string | undefined,
): Fault[] {
  if (list.length === 0) return [{ at: [key], message: 'needs one range at least' }]
  if (list.length > 2) return [{ at: [key], message: 'takes two ranges at most' }]
  const ranges = list.map((each) => readRange(asText(each) ?? ''))
  const families = ranges.map((range) => range?.all)
  return ranges.flatMap((range, index) => {
    const at = [key, index]
    if (range === undefined) {
      return [{ at, message: 'must be a range of addresses that begins with its first' }]
    }
    if (range.all - range.bits < fewestHostBits) return [{ at, message: 'is too small' }]
    const message = sizeFault(range)
    const isSecond = families.indexOf(range.all) < index
    return [
      ...(message === undefined ? [] : [{ at, message }]),
      ...(isSecond ? [{ at, message: 'is of the same family as the other' }] : []),
    ]
  })
}

function readRange(text: string): Range | undefined {
  if (!isNetworkCidr(text)) return undefined
  const [address, bits] = ipaddr.parseCIDR(text)
  return { bits, all: address.kind() === 'ipv4' ? 32 : 128 }
}
