import { isJsonObject, type Json } from '../../../../lib/json.ts'
import type { ConfigPath, Fault } from '../config-problem.ts'
import { eachOf, type Rule } from '../config-view.ts'
import { isAddressOrPrefix, isIpPrefix, isPlainAddress } from '../forms/address.ts'
import { isEmptyOr } from '../forms/is-empty-or.ts'
import {
  asText,
  hasElements,
  isSetAt,
  isTrueAt,
  listAt,
  mappingAt,
  textAt,
  valueAt,
} from '../read-config.ts'
import { bondFaults } from './legacy-bond.ts'
import { wireguardFaults } from './legacy-wireguard.ts'

const at = ['machine', 'network', 'interfaces']

/** What is wrong with one interface: its place, itself, and the interfaces that belong to others. */
type InterfaceCheck = (
  here: ConfigPath,
  device: Json,
  owned: ReadonlyMap<string, string>,
) => Fault[]

/** Every interface that Talos is not told to ignore is checked by all of these. */
export const interfacesAreSound: Rule = (legacy) => {
  const devices = listAt(legacy, ...at)
  const owned = ownedInterfaces(devices)
  return devices.flatMap((device, index): Fault[] => {
    const here = [...at, index]
    if (!isJsonObject(device)) return [{ at: here, message: 'must not be empty' }]
    const always = membershipFaults(here, device, owned)
    if (isTrueAt(device, 'ignore')) return always
    return [...always, ...checks.flatMap((check) => check(here, device, owned))]
  })
}

const checks: readonly InterfaceCheck[] = [
  selectionFaults,
  (here, device) =>
    isSetAt(device, 'bond') ? bondFaults([...here, 'bond'], mappingAt(device, 'bond')) : [],
  wireguardFaults,
  (here, device) =>
    eachOf(listAt(device, 'vlans'), (vlan, index) =>
      addressFaults([...here, 'vlans', index], vlan),
    ),
  addressingFaults,
  routeFaults,
]

/** A shared address moves between control planes. */
export const sharedAddressesFitRole: Rule = (legacy, { role }) => {
  if (role !== 'worker') return []
  return listAt(legacy, ...at).flatMap((device, index) => {
    const holders: [ConfigPath, Json | undefined][] = [
      [[...at, index, 'vip'], device],
      ...listAt(device, 'vlans').map((vlan, number): [ConfigPath, Json] => [
        [...at, index, 'vlans', number, 'vip'],
        vlan,
      ]),
    ]
    return holders
      .filter(([, holder]) => isSetAt(holder, 'vip'))
      .map(([place]) => ({ at: place, message: 'is for control planes alone' }))
  })
}

/** The interfaces that bonds and bridges are made of, each with the one that had it last. */
function ownedInterfaces(devices: readonly Json[]): ReadonlyMap<string, string> {
  return new Map(
    devices.flatMap((device) =>
      membersOf(device).map((member) => [member, textAt(device, 'interface')] as const),
    ),
  )
}

function membersOf(device: Json): string[] {
  const owner = isSetAt(device, 'bridge') ? 'bridge' : 'bond'
  return listAt(device, owner, 'interfaces').map((each) => asText(each) ?? '')
}

function membershipFaults(
  here: ConfigPath,
  device: Json,
  owned: ReadonlyMap<string, string>,
): Fault[] {
  const isBoth = isSetAt(device, 'bond') && isSetAt(device, 'bridge')
  const isOver =
    hasElements(listAt(device, 'bond', 'interfaces')) &&
    hasElements(listAt(device, 'bond', 'deviceSelectors'))
  const name = textAt(device, 'interface')
  const taken = membersOf(device).filter((member) => (owned.get(member) ?? name) !== name)
  return [
    ...(isBoth ? [{ at: here, message: 'cannot be both a bond and a bridge' }] : []),
    ...(isOver
      ? [{ at: [...here, 'bond'], message: 'takes interfaces or deviceSelectors, not both' }]
      : []),
    ...taken.map(() => ({
      at: here,
      message: 'has an interface that is a part of another one too',
    })),
  ]
}

function selectionFaults(here: ConfigPath, device: Json): Fault[] {
  const hasName = textAt(device, 'interface') !== ''
  const selector = valueAt(device, 'deviceSelector')
  const isEmpty =
    isSetAt(selector) &&
    Object.values(mappingAt(selector)).every((each) => each === null || each === '')
  return [
    ...(hasName === isSetAt(selector)
      ? [{ at: here, message: `needs interface or deviceSelector${hasName ? ', not both' : ''}` }]
      : []),
    ...(isEmpty ? [{ at: [...here, 'deviceSelector'], message: 'must not be empty' }] : []),
  ]
}

function addressingFaults(
  here: ConfigPath,
  device: Json,
  owned: ReadonlyMap<string, string>,
): Fault[] {
  const isOwned = owned.has(textAt(device, 'interface'))
  const addresses = ['dhcp', 'cidr', 'addresses', 'vip'].filter((key) => isFilled(device, key))
  const hasVip = isSetAt(device, 'vip')
  return [
    ...(isOwned && addresses.length > 0
      ? [{ at: [...here, addresses[0] ?? ''], message: 'is not for a part of a bond or a bridge' }]
      : []),
    ...addressFaults(here, device),
    ...(textAt(device, 'cidr') === ''
      ? []
      : [
          {
            at: [...here, 'cidr'],
            message: 'is deprecated',
            hint: 'Write addresses, a list.',
            isWarning: true,
          },
        ]),
    ...(hasVip && !isPlainAddress(textAt(device, 'vip', 'ip'))
      ? [{ at: [...here, 'vip', 'ip'], message: 'must be an IP address' }]
      : []),
  ]
}

function isFilled(device: Json, key: string): boolean {
  if (key === 'dhcp') return isTrueAt(device, key)
  if (key === 'addresses') return hasElements(listAt(device, key))
  return key === 'vip' ? isSetAt(device, key) : textAt(device, key) !== ''
}

/** Of an interface and of a VLAN alike. */
function addressFaults(here: ConfigPath, holder: Json): Fault[] {
  const cidr = textAt(holder, 'cidr')
  const addresses = listAt(holder, 'addresses')
  const message = 'must be an IP address, with or without the length of a prefix'
  return [
    ...(cidr !== '' && addresses.length > 0
      ? [{ at: here, message: 'takes cidr or addresses, not both' }]
      : []),
    ...(cidr === '' || isAddressOrPrefix(cidr) ? [] : [{ at: [...here, 'cidr'], message }]),
    ...eachOf(addresses, (each, index) =>
      isAddressOrPrefix(asText(each) ?? '')
        ? undefined
        : { at: [...here, 'addresses', index], message },
    ),
  ]
}

function routeFaults(here: ConfigPath, device: Json): Fault[] {
  return eachOf(listAt(device, 'routes'), (route, index) => {
    const place = [...here, 'routes', index]
    const [network, gateway, source] = ['network', 'gateway', 'source'].map((key) =>
      textAt(route, key),
    )
    return [
      ...(network === '' && gateway === ''
        ? [{ at: place, message: 'needs network or gateway' }]
        : []),
      ...(isEmptyOr(isIpPrefix, network)
        ? []
        : [
            {
              at: [...place, 'network'],
              message: 'must be a range of addresses, such as 10.0.0.0/16',
            },
          ]),
      ...(isEmptyOr(isPlainAddress, gateway)
        ? []
        : [{ at: [...place, 'gateway'], message: 'must be an IP address' }]),
      ...(isEmptyOr(isPlainAddress, source)
        ? []
        : [{ at: [...place, 'source'], message: 'must be an IP address' }]),
    ]
  })
}
