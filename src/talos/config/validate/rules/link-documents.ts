import type { Json } from '../../../../lib/json.ts'
import type { Fault } from '../config-problem.ts'
import { eachOf, type Rule } from '../config-view.ts'
import { isUnspecified } from '../forms/address.ts'
import { parseDuration } from '../forms/duration.ts'
import { hasElements, isSetAt, listAt, numberAt, textAt } from '../read-config.ts'
import { isWireguardKey, keyRule } from './legacy-wireguard.ts'

/** Addresses and routes, which every kind of link document has. */
export const linkAddressesAreAddresses: Rule = (document) => [
  ...eachOf(listAt(document, 'addresses'), (each, index) => {
    const address = textAt(each, 'address')
    if (address !== '' && !isUnspecified(address)) return undefined
    return {
      at: ['addresses', index, 'address'],
      message: 'must be an address with the length of its prefix',
    }
  }),
  ...eachOf(listAt(document, 'routes'), (route, index) =>
    ['destination', 'gateway', 'source']
      .filter((key) => isUnspecified(textAt(route, key)))
      .map((key) => ({
        at: ['routes', index, key],
        message: 'must not be the address that means any',
        hint: key === 'destination' ? 'Leave destination out for the default route.' : undefined,
      })),
  ),
]

export const vlanHasParentAndId: Rule = (document) => {
  const id = numberAt(document, 'vlanID')
  return [
    ...(id >= 1 && id <= 4094 ? [] : [{ at: ['vlanID'], message: 'must be between 1 and 4094' }]),
    ...needs(document, 'parent'),
  ]
}

export const bondHasLinksAndMode: Rule = (document) => {
  const delays = ['miimon', 'updelay', 'downdelay']
  const isAggregated = textAt(document, 'bondMode').toLowerCase() === '802.3ad'
  return [
    ...(hasElements(listAt(document, 'links'))
      ? []
      : [{ at: ['links'], message: 'needs one link at least' }]),
    ...needs(document, 'bondMode'),
    ...delays
      .filter((key) => isAggregated && !isSetAt(document, key))
      .map((key) => ({
        at: [key],
        message: 'should be set for a bond of the mode 802.3ad',
        isWarning: true,
      })),
  ]
}

/** Tables that the kernel has for itself. */
const tablesOfKernel = ['', 'unspec', 'local', 'main', 'default', '0', '253', '254', '255']

export const vrfHasTable: Rule = (document) =>
  tablesOfKernel.includes(textAt(document, 'table').toLowerCase())
    ? [{ at: ['table'], message: 'must be a table that the kernel does not have for itself' }]
    : []

export const wireguardHasKeys: Rule = (document) => {
  const port = numberAt(document, 'listenPort')
  return [
    ...(isWireguardKey(textAt(document, 'privateKey'))
      ? []
      : [{ at: ['privateKey'], message: keyRule }]),
    ...(port >= 0 && port <= 65_535
      ? []
      : [{ at: ['listenPort'], message: 'must be between 0 and 65535' }]),
    ...eachOf(listAt(document, 'peers'), peerFaults),
  ]
}

function peerFaults(peer: Json, index: number): Fault[] {
  const at = ['peers', index]
  const shared = textAt(peer, 'presharedKey')
  const interval = parseDuration(textAt(peer, 'persistentKeepaliveInterval')) ?? 0
  return [
    ...(isWireguardKey(textAt(peer, 'publicKey'))
      ? []
      : [{ at: [...at, 'publicKey'], message: keyRule }]),
    ...(shared === '' || isWireguardKey(shared)
      ? []
      : [{ at: [...at, 'presharedKey'], message: keyRule }]),
    ...(interval >= 0
      ? []
      : [{ at: [...at, 'persistentKeepaliveInterval'], message: 'cannot be negative' }]),
  ]
}

export const dhcpIdentifierIsWhole: Rule = (document) => {
  const isDuid = textAt(document, 'clientIdentifier').toLowerCase() === 'duid'
  if (isDuid === (textAt(document, 'duidRaw') !== '')) return []
  return [
    {
      at: ['duidRaw'],
      message: isDuid ? 'is needed with clientIdentifier: duid' : 'needs clientIdentifier: duid',
    },
  ]
}

/** `1.13` lets an alias be a pattern, `net%d`, for several links. */
export const aliasSelectsLinks: Rule = (document, { minor }) => {
  const name = textAt(document, 'name')
  const isBad = minor >= 13 && name.includes('%') && !/^[^%]+%d$/.test(name)
  return [
    ...(isBad ? [{ at: ['name'], message: 'must end in %d where it is a pattern' }] : []),
    ...needs(document, 'selector', 'match'),
  ]
}

/** A fault where nothing, or an empty text, is at these keys. */
export function needs(document: Json, ...keys: readonly string[]): Fault[] {
  return textAt(document, ...keys) === '' ? [{ at: keys, message: 'is needed' }] : []
}
