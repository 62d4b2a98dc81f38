import type { Json } from '../../../../lib/json.ts'
import type { Fault } from '../config-problem.ts'
import { type ConfigView, eachOf, type Rule } from '../config-view.ts'
import { parseByteSize } from '../forms/byte-size.ts'
import {
  hasElements,
  isSetAt,
  isTrueAt,
  listAt,
  numberAt,
  textAt,
  valueAt,
} from '../read-config.ts'
import { needs } from './link-documents.ts'
import { encryptionKeyFaults } from './machine-parts.ts'

/** A partition's label has 36 characters, and two say what kind of volume it is. */
const longestName = 34

export const volumeNameIsLabel: Rule = (document) => {
  const name = textAt(document, 'name')
  const isShort = document['kind'] === 'ExistingVolumeConfig' || name.length <= longestName
  if (/^[A-Za-z0-9-]*$/.test(name) && isShort) return []
  return [{ at: ['name'], message: `must be letters, digits and hyphens, ${longestName} at most` }]
}

/** Talos's own volumes; those of users have documents of other kinds. */
export const systemVolumeIsKnown: Rule = (document, { minor }) => {
  const names = [...(minor >= 11 ? ['STATE'] : []), 'EPHEMERAL', 'IMAGECACHE']
  const isKnown = names.includes(textAt(document, 'name'))
  return isKnown ? [] : [{ at: ['name'], message: `must be one of ${names.join(', ')}` }]
}

export const stateVolumeStaysWhereItIs: Rule = (document) => {
  if (document['name'] !== 'STATE') return []
  return [
    ...(isProvisioned(document)
      ? [{ at: ['provisioning'], message: 'cannot be set for STATE' }]
      : []),
    ...eachOf(listAt(document, 'encryption', 'keys'), (key, index) =>
      isTrueAt(key, 'lockToState')
        ? [{ at: ['encryption', 'keys', index, 'lockToState'], message: 'cannot be set for STATE' }]
        : [],
    ),
  ]
}

export const encryptionHasKeys: Rule = (document, { minor }) => {
  const at = ['encryption']
  const provider = textAt(document, 'encryption', 'provider').toLowerCase()
  const keys = listAt(document, 'encryption', 'keys')
  if (['', 'none'].includes(provider) && !hasElements(keys)) return []
  return [
    ...(provider === 'luks2' ? [] : [{ at: [...at, 'provider'], message: 'must be luks2' }]),
    ...encryptionKeyFaults(at, keys),
    ...(minor >= 12 ? keys.flatMap(registerFaults) : []),
  ]
}

function registerFaults(key: Json, index: number): Fault[] {
  const at = ['encryption', 'keys', index, 'tpm', 'options', 'pcrs']
  return listAt(key, 'tpm', 'options', 'pcrs').flatMap((register, number) =>
    typeof register === 'number' && (register < 0 || register > 23)
      ? [{ at: [...at, number], message: 'must be between 0 and 23' }]
      : [],
  )
}

export const systemVolumeHasRoom: Rule = (document, view) => sizeFaults(document, view, false)

export const volumeHasDiskAndSize: Rule = (document, view) => [
  ...needs(document, 'provisioning', 'diskSelector', 'match'),
  ...sizeFaults(document, view, true),
]

function sizeFaults(document: Json, { minor }: ConfigView, isRequired: boolean): Fault[] {
  const at = ['provisioning']
  const [least, most] = ['minSize', 'maxSize'].map((key) => textAt(document, 'provisioning', key))
  const isNegative = least?.startsWith('-') && minor >= 13
  return [
    ...(isRequired && least === '' && most === ''
      ? [{ at, message: 'needs minSize or maxSize' }]
      : []),
    ...(isNegative ? [{ at: [...at, 'minSize'], message: 'cannot be negative' }] : []),
    ...(isMore(least, most, minor)
      ? [{ at: [...at, 'minSize'], message: 'must not be more than maxSize' }]
      : []),
  ]
}

/** A `maxSize` that is a part of the disk, or what is to be left free, says nothing of this. */
function isMore(least = '', most = '', minor = 0): boolean {
  if (least === '' || most === '' || most.includes('%')) return false
  if (most.startsWith('-') && minor >= 13) return false
  return (
    (parseByteSize(least.replace(/^-/, '')) ?? 0) > (parseByteSize(most.replace(/^-/, '')) ?? 0)
  )
}

function isProvisioned(document: Json): boolean {
  return (
    ['grow', 'minSize', 'maxSize'].some((key) =>
      isFilled(valueAt(document, 'provisioning', key)),
    ) || textAt(document, 'provisioning', 'diskSelector', 'match') !== ''
  )
}

function isFilled(value: Json | undefined): boolean {
  return isSetAt(value) && value !== ''
}

/** What a volume may have depends on what it is: a partition, a whole disk, a directory. */
export const userVolumeFitsItsType: Rule = (document, view) => {
  const type = textAt(document, 'volumeType').toLowerCase() || 'partition'
  if (type === 'directory') return directoryFaults(document, view)
  if (type === 'partition')
    return [...volumeHasDiskAndSize(document, view), ...filesystemFaults(document)]
  if (type === 'disk') return [...diskFaults(document), ...filesystemFaults(document)]
  return [{ at: ['volumeType'], message: 'must be partition, disk or directory' }]
}

function diskFaults(document: Json): Fault[] {
  return [
    ...needs(document, 'provisioning', 'diskSelector', 'match'),
    ...['minSize', 'maxSize', 'grow']
      .filter((key) => isFilled(valueAt(document, 'provisioning', key)))
      .map((key) => ({ at: ['provisioning', key], message: 'cannot be set for a whole disk' })),
  ]
}

function directoryFaults(document: Json, { minor }: ConfigView): Fault[] {
  const message = 'cannot be set for a directory'
  const isEncrypted =
    hasElements(listAt(document, 'encryption', 'keys')) ||
    !['', 'none'].includes(textAt(document, 'encryption', 'provider').toLowerCase())
  const hasFilesystem =
    !['', 'none'].includes(textAt(document, 'filesystem', 'type').toLowerCase()) ||
    isSetAt(document, 'filesystem', 'projectQuotaSupport')
  const isMounted = ['disableAccessTime', 'secure'].some((key) => isSetAt(document, 'mount', key))
  return [
    ...(isProvisioned(document) ? [{ at: ['provisioning'], message }] : []),
    ...(isEncrypted ? [{ at: ['encryption'], message }] : []),
    ...(hasFilesystem ? [{ at: ['filesystem'], message }] : []),
    ...(isMounted && minor >= 13 ? [{ at: ['mount'], message }] : []),
  ]
}

function filesystemFaults(document: Json): Fault[] {
  const type = textAt(document, 'filesystem', 'type').toLowerCase()
  if (!['', 'none', 'xfs', 'ext4'].includes(type)) {
    return [{ at: ['filesystem', 'type'], message: 'must be xfs or ext4' }]
  }
  if (type !== 'ext4' || !isTrueAt(document, 'filesystem', 'projectQuotaSupport')) return []
  return [{ at: ['filesystem', 'projectQuotaSupport'], message: 'is for xfs alone' }]
}

export const externalVolumeIsVirtiofs: Rule = (document) => {
  if (textAt(document, 'filesystemType').toLowerCase() !== 'virtiofs') {
    return [{ at: ['filesystemType'], message: 'must be virtiofs' }]
  }
  return needs(document, 'mount', 'virtiofs', 'tag')
}

export const existingVolumeIsSelected: Rule = (document) =>
  needs(document, 'discovery', 'volumeSelector', 'match')

export const swapPoolIsPercentage: Rule = (document) => {
  const percent = numberAt(document, 'maxPoolPercent')
  return percent >= 0 && percent <= 100
    ? []
    : [{ at: ['maxPoolPercent'], message: 'must be between 0 and 100' }]
}
