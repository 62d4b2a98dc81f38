import type { Rule } from '../config-view.ts'
import { parseByteSize } from '../forms/byte-size.ts'
import { parseDuration } from '../forms/duration.ts'
import { parseGoUrl } from '../forms/go-url.ts'
import { isSetAt, mappingAt, numberAt, textAt } from '../read-config.ts'
import { needs } from './link-documents.ts'
import { negativeDurations } from './network-documents.ts'
import { isQualifiedName } from './node-metadata.ts'

/** Documents of the machine itself that came with 1.14. */

const filesOfTalos = [
  'resolv.conf',
  'hosts',
  'machine-id',
  'extensions.yaml',
  'localtime',
  'os-release',
  'xattr.conf',
]
const foldersOfTalos = [
  'apparmor.d',
  'apparmor',
  'ca-certificates',
  'cni',
  'cri',
  'iscsi',
  'kubernetes',
  'lvm',
  'nvme',
  'pki',
  'selinux',
  'ssl',
]

/** A file below /etc, by its path from there. */
export const etcFileIsFree: Rule = (document) => {
  const path = textAt(document, 'name')
  if (path === '') return []
  const steps = path.split('/')
  const isLocal = !path.startsWith('/') && !path.startsWith('.') && !leavesItsFolder(steps)
  if (!isLocal) return [{ at: ['name'], message: 'must be a path below /etc, without the /etc' }]
  const isTaken = filesOfTalos.includes(path) || foldersOfTalos.includes(steps[0] ?? '')
  return isTaken ? [{ at: ['name'], message: 'is a file of Talos itself' }] : []
}

function leavesItsFolder(steps: readonly string[]): boolean {
  let depth = 0
  for (const step of steps) {
    if (step === '..') depth--
    else if (step !== '' && step !== '.') depth++
    if (depth < 0) return true
  }
  return false
}

export const paramsHaveNames: Rule = (document) =>
  Object.keys(mappingAt(document, 'params'))
    .filter((key) => key === '')
    .map((key) => ({ at: ['params', key], message: 'has no name' }))

export const trimIsForwards: Rule = (document) => negativeDurations(document, 'interval')

const leastScrubSeconds = 10

export const scrubIsSlow: Rule = (document) => {
  const seconds = parseDuration(textAt(document, 'interval')) ?? 0
  return seconds !== 0 && seconds < leastScrubSeconds
    ? [{ at: ['interval'], message: `must be ${leastScrubSeconds}s at least` }]
    : []
}

export const customizationIsNamed: Rule = (document) => {
  const name = textAt(document, 'name')
  if (name === '' || isQualifiedName(name)) return []
  return [{ at: ['name'], message: 'must be a name of letters, digits, -, _ and .' }]
}

export const installHasDisk: Rule = (document) => [
  ...needs(document, 'provisioning', 'diskSelector', 'match'),
  ...(textAt(document, 'installer', 'image') === ''
    ? [{ at: ['installer', 'image'], message: 'should be set', isWarning: true }]
    : []),
]

export const webProbeHasUrl: Rule = (document) => {
  const url = parseGoUrl(textAt(document, 'url'))
  const isGood = url && /^https?$/.test(url.scheme) && url.host.replace(/:\d*$/, '') !== ''
  return [
    ...(isGood
      ? []
      : [{ at: ['url'], message: 'must begin with https:// or http:// and have a host' }]),
    ...negativeDurations(document, 'timeout', 'interval'),
    ...(numberAt(document, 'failureThreshold') >= 0
      ? []
      : [{ at: ['failureThreshold'], message: 'cannot be negative' }]),
  ]
}

/** Both ends of a pair of virtual links. */
export const pairHasNames: Rule = (document) => {
  const [name, peer] = [textAt(document, 'name'), textAt(document, 'peer', 'name')]
  const message = 'must be a name of 15 bytes at most, without spaces, / and :'
  return [
    ...(name === '' || isLinkName(name) ? [] : [{ at: ['name'], message }]),
    ...(isLinkName(peer) ? [] : [{ at: ['peer', 'name'], message }]),
    ...(name !== '' && name === peer
      ? [{ at: ['peer', 'name'], message: 'must be another name' }]
      : []),
  ]
}

function isLinkName(name: string): boolean {
  const isShort = name !== '' && new TextEncoder().encode(name).length <= 15
  return isShort && !['.', '..'].includes(name) && !/[/:\s\p{C}\p{Z}]/u.test(name)
}

const storageName = /^[A-Za-z0-9_-]+$/

const isNamedFor =
  (most: number): Rule =>
  (document) => {
    const name = textAt(document, 'name')
    const isGood = name === '' || (name.length <= most && storageName.test(name))
    const message = `must be ${most} letters, digits, - and _ at most`
    return isGood ? [] : [{ at: ['name'], message }]
  }

export const volumeIsNamed: Rule = isNamedFor(63)
export const arrayIsNamed: Rule = isNamedFor(32)

export const volumesAreSelected: Rule = (document) =>
  needs(document, 'provisioning', 'volumeSelector', 'match')

/** A logical volume: its size, and what goes with the way in which it is spread. */
export const logicalVolumeIsWhole: Rule = (document) => {
  const type = textAt(document, 'type').toLowerCase() || 'linear'
  const most = textAt(document, 'provisioning', 'maxSize')
  const least = parseByteSize(textAt(document, 'provisioning', 'minSize')) ?? 0
  const limit = most.endsWith('%') ? undefined : parseByteSize(most)
  return [
    ...needs(document, 'provisioning', 'volumeGroup'),
    ...(most === '' || limit === 0 || most.startsWith('-')
      ? [{ at: ['provisioning', 'maxSize'], message: 'must be more than nothing' }]
      : []),
    ...(limit !== undefined && least > limit
      ? [{ at: ['provisioning', 'minSize'], message: 'is more than maxSize' }]
      : []),
    ...copiesFault('mirrors', ['raid1', 'raid10'], 1),
    ...copiesFault('stripes', ['raid0', 'raid10'], 2),
  ]

  function copiesFault(key: string, types: readonly string[], fewest: number) {
    if (!isSetAt(document, key)) return []
    if (!types.includes(type)) return [{ at: [key], message: `is for ${types.join(' and ')}` }]
    return numberAt(document, key) < fewest
      ? [{ at: [key], message: `must be ${fewest} at least` }]
      : []
  }
}

export const instanceHasNumber: Rule = (document) =>
  numberAt(document, 'localASN') === 0 ? [{ at: ['localASN'], message: 'is needed' }] : []

export const containerHasImage: Rule = (document) => [
  ...needs(document, 'image'),
  ...(/^[a-z0-9-]{0,63}$/.test(textAt(document, 'name'))
    ? []
    : [{ at: ['name'], message: 'must be 63 lower-case letters, digits and - at most' }]),
]
