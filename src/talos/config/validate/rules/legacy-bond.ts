import type { JsonObject } from '../../../../lib/json.ts'
import type { ConfigPath, Fault } from '../config-problem.ts'
import { namesOf, newestKnownMinor } from '../known-fields.ts'
import { hasElements, listAt, numberAt, textAt } from '../read-config.ts'

/** Words of `machine.network.interfaces[].bond`, by the enumerations of the later documents. */
const words: Readonly<Record<string, string>> = {
  mode: 'nethelpers.BondMode',
  xmitHashPolicy: 'nethelpers.BondXmitHashPolicy',
  lacpRate: 'nethelpers.LACPRate',
  arpValidate: 'nethelpers.ARPValidate',
  arpAllTargets: 'nethelpers.ARPAllTargets',
  primaryReselect: 'nethelpers.PrimaryReselect',
  failOverMac: 'nethelpers.FailOverMAC',
  adSelect: 'nethelpers.ADSelect',
}

const balancing = ['balance-alb', 'balance-tlb']

/** Settings that only some modes have: when each counts as set, and the modes. */
const settingsOfModes: readonly (readonly [
  key: string,
  least: number | 'text',
  modes: readonly string[],
])[] = [
  ['lacpRate', 'text', ['802.3ad']],
  ['adActorSysPrio', 1, ['802.3ad']],
  ['adUserPortKey', 1, ['802.3ad']],
  ['arpValidate', 'text', ['balance-rr', 'active-backup', 'balance-xor', 'broadcast']],
  ['arpInterval', 1, ['balance-rr', 'active-backup', 'balance-xor', 'broadcast']],
  ['primary', 'text', ['active-backup', ...balancing]],
  ['packetsPerSlave', 2, ['balance-rr']],
  ['tlbDynamicLb', 1, balancing],
]

/** What is wrong with the bond of an interface in the v1alpha1 document. */
export function bondFaults(here: ConfigPath, bond: JsonObject): Fault[] {
  const mode = textAt(bond, 'mode') || 'balance-rr'
  return [
    ...Object.entries(words).flatMap(([key, kind]) =>
      wordFaults([...here, key], textAt(bond, key), kind),
    ),
    ...delayFaults(here, bond),
    ...['arpIPTarget', 'adActorSystem']
      .filter((key) => hasElements(listAt(bond, key)) || textAt(bond, key) !== '')
      .map((key) => ({ at: [...here, key], message: 'is not supported by Talos' })),
    ...settingsOfModes
      .filter(([key, least, modes]) => isSet(bond, key, least) && !modes.includes(mode))
      .map(([key, , modes]) => ({
        at: [...here, key],
        message: `is for bonds of the mode ${modes.join(', ')}`,
      })),
  ]
}

function isSet(bond: JsonObject, key: string, least: number | 'text'): boolean {
  return least === 'text' ? textAt(bond, key) !== '' : numberAt(bond, key) >= least
}

function wordFaults(at: ConfigPath, word: string, kind: string): Fault[] {
  const names = namesOf(kind, newestKnownMinor)?.names ?? []
  return word === '' || names.includes(word)
    ? []
    : [{ at, message: `must be one of ${names.join(', ')}` }]
}

/** Delays are counted in checks of the link. */
function delayFaults(here: ConfigPath, bond: JsonObject): Fault[] {
  const interval = numberAt(bond, 'miimon')
  return ['updelay', 'downdelay']
    .filter((key) => {
      const delay = numberAt(bond, key)
      return interval === 0 ? delay !== 0 : delay % interval !== 0
    })
    .map((key) => ({ at: [...here, key], message: 'must be a multiple of miimon' }))
}
