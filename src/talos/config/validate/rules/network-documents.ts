import type { Json } from '../../../../lib/json.ts'
import { eachOf, type Rule } from '../config-view.ts'
import { isIpAddress, isIpPrefix } from '../forms/address.ts'
import { parseDuration } from '../forms/duration.ts'
import { hasElements, isSetAt, listAt, numberAt, textAt } from '../read-config.ts'
import { needs } from './link-documents.ts'

export const hostnameIsOne: Rule = (document) => {
  const hostname = textAt(document, 'hostname')
  const [first = ''] = hostname.split('.')
  const isGood = hostname.length <= 253 && first.length > 0 && first.length <= 63
  if (hostname === '' || isGood) return []
  const message = 'must be a host name: 63 characters before the first dot, 253 in all'
  return [{ at: ['hostname'], message }]
}

/** Without `auto` Talos takes it for off. */
export const hostnameComesFromSomewhere: Rule = (document, { minor }) => {
  const auto = textAt(document, 'auto').toLowerCase() || 'off'
  const hasName = textAt(document, 'hostname') !== ''
  if (auto === 'stable') return hasName ? [twoNames] : []
  if (auto !== 'off') return [{ at: ['auto'], message: 'must be off or stable' }]
  if (hasName) return []
  // Releases of 1.13 before 1.13.3 refuse an `auto: off` alone; later ones take the platform's name.
  const isWarning = minor >= 13 && isSetAt(document, 'auto')
  return [{ at: ['hostname'], message: 'is needed where auto is not stable', isWarning }]
}

const twoNames = {
  at: ['hostname'],
  message: 'and auto: stable exclude each other',
  hint: 'Write auto: off beside it.',
}

export const nameIsAddress: Rule = (document) =>
  isIpAddress(textAt(document, 'name')) ? [] : [{ at: ['name'], message: 'must be an IP address' }]

export const nameIsPrefix: Rule = (document) =>
  isIpPrefix(textAt(document, 'name'))
    ? []
    : [{ at: ['name'], message: 'must be a range of addresses' }]

export const vipHasLink: Rule = (document) => needs(document, 'link')

export const cloudVipHasToken: Rule = (document) => needs(document, 'apiToken')

export const hostHasNames: Rule = (document) =>
  hasElements(listAt(document, 'hostnames'))
    ? []
    : [{ at: ['hostnames'], message: 'needs one host name at least' }]

export const timeHasOneSource: Rule = (document) => [
  ...negativeDurations(document, 'bootTimeout'),
  ...(isSetAt(document, 'ntp') && isSetAt(document, 'ptp')
    ? [{ at: ['ptp'], message: 'and ntp exclude each other' }]
    : []),
]

export const probeHasEndpoint: Rule = (document) => [
  ...needs(document, 'endpoint'),
  ...negativeDurations(document, 'timeout', 'interval'),
  ...(numberAt(document, 'failureThreshold') >= 0
    ? []
    : [{ at: ['failureThreshold'], message: 'cannot be negative' }]),
]

export function negativeDurations(document: Json, ...keys: readonly string[]) {
  return keys
    .filter((key) => (parseDuration(textAt(document, key)) ?? 0) < 0)
    .map((key) => ({ at: [key], message: 'cannot be negative' }))
}

/** Priorities that the kernel and KubeSpan have. */
const takenPriorities = [0, 32_500, 32_766, 32_767]
const actionsOnAddresses = ['', 'unspec', 'unicast']

export const routingRuleLeadsSomewhere: Rule = (document) => {
  const priority = textAt(document, 'name')
  const isFree =
    /^\d+$/.test(priority) &&
    Number(priority) < 2 ** 32 &&
    !takenPriorities.includes(Number(priority))
  const hasTable = !['', 'unspec', '0'].includes(textAt(document, 'table').toLowerCase())
  return [
    ...(isFree
      ? []
      : [
          {
            at: ['name'],
            message: `must be a priority, a number other than ${takenPriorities.join(', ')}`,
          },
        ]),
    ...(hasTable || !actionsOnAddresses.includes(textAt(document, 'action').toLowerCase())
      ? []
      : [{ at: ['table'], message: 'is needed with this action' }]),
    ...(numberAt(document, 'fwMask') !== 0 && numberAt(document, 'fwMark') === 0
      ? [{ at: ['fwMask'], message: 'needs fwMark' }]
      : []),
  ]
}

/** Talos refuses ports that two entries of a rule have. */
export const firewallRuleHasPorts: Rule = (document) => {
  const at = ['portSelector', 'ports']
  const ports = listAt(document, ...at)
  if (!hasElements(ports)) return [{ at, message: 'needs one port at least' }]
  const ranges = ports.map(portRange)
  return [
    ...eachOf(ports, (_, index) => {
      const [low, high] = ranges[index] ?? [0, 0]
      if (low > high) return { at: [...at, index], message: 'must begin with the lower port' }
      const overlaps = ranges.slice(0, index).some(([from, to]) => low <= to && from <= high)
      return overlaps ? { at: [...at, index], message: 'has a port of another entry' } : undefined
    }),
    ...eachOf(listAt(document, 'ingress'), (each, index) =>
      textAt(each, 'subnet') === ''
        ? { at: ['ingress', index, 'subnet'], message: 'is needed' }
        : undefined,
    ),
  ]
}

function portRange(value: Json): readonly [low: number, high: number] {
  const [low = '', high = low] = String(value).split('-')
  return [Number(low), Number(high)]
}
