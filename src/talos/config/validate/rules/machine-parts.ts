import { isJsonObject } from '../../../../lib/json.ts'
import type { Fault } from '../config-problem.ts'
import { eachOf, type Rule } from '../config-view.ts'
import { isSubnetPattern } from '../forms/address.ts'
import { parseByteSize } from '../forms/byte-size.ts'
import { parseGoUrl } from '../forms/go-url.ts'
import {
  asText,
  hasElements,
  isSetAt,
  isTrueAt,
  listAt,
  mappingAt,
  numberAt,
  textAt,
  valueAt,
} from '../read-config.ts'

/** Fields of the kubelet's configuration that Talos sets itself (`kubelet.ProtectedConfigurationFields`). */
export const fieldsOfTalos = [
  'apiVersion',
  'authentication',
  'authorization',
  'cgroupRoot',
  'kind',
  'kubeletCgroups',
  'port',
  'protectKernelDefaults',
  'resolvConf',
  'rotateCertificates',
  'systemCgroups',
  'staticPodPath',
  'seccompDefault',
]

export const kubeletSubnetsAreSubnets: Rule = ({ machine }) =>
  subnetFaults(
    ['machine', 'kubelet', 'nodeIP', 'validSubnets'],
    listAt(machine, 'kubelet', 'nodeIP', 'validSubnets'),
  )

export const kubeletConfigLeavesTalosItsOwn: Rule = ({ machine }) =>
  Object.keys(mappingAt(machine, 'kubelet', 'extraConfig'))
    .filter((key) => fieldsOfTalos.includes(key))
    .map((key) => ({
      at: ['machine', 'kubelet', 'extraConfig', key],
      message: 'is set by Talos and cannot be overridden',
    }))

/** Faults of the elements that are no subnets; a `!` in front of one excludes it. */
export function subnetFaults(at: readonly string[], list: ReturnType<typeof listAt>): Fault[] {
  return eachOf(list, (element, index) =>
    isSubnetPattern(asText(element) ?? '')
      ? undefined
      : { at: [...at, index], message: 'must be a subnet or an address, such as 10.0.0.0/16' },
  )
}

export const hostDnsBeforeForwarding: Rule = ({ machine }, { minor }) => {
  const hostDns = valueAt(machine, 'features', 'hostDNS')
  if (minor < 13 || !isTrueAt(hostDns, 'forwardKubeDNSToHost') || isTrueAt(hostDns, 'enabled'))
    return []
  const at = ['machine', 'features', 'hostDNS', 'forwardKubeDNSToHost']
  return [{ at, message: 'needs machine.features.hostDNS.enabled' }]
}

const roles = ['os:admin', 'os:operator', 'os:reader', 'os:etcd:backup', 'os:impersonator']
export const rolesSince13 = [...roles, 'os:image:verifier', 'os:meta:writer']

export const talosAccessFitsRole: Rule = ({ machine }, { role, minor }) => {
  const at = ['machine', 'features', 'kubernetesTalosAPIAccess']
  const access = valueAt(machine, 'features', 'kubernetesTalosAPIAccess')
  if (!isTrueAt(access, 'enabled')) return []
  const known = minor >= 13 ? rolesSince13 : roles
  const needsRbac = minor <= 11 && !isTrueAt(machine, 'features', 'rbac')
  return [
    ...(role === 'control-plane' ? [] : [{ at, message: 'is for control planes alone' }]),
    ...(needsRbac ? [{ at, message: 'needs machine.features.rbac' }] : []),
    ...eachOf(listAt(access, 'allowedRoles'), (each, index) =>
      known.includes(asText(each) ?? '')
        ? undefined
        : { at: [...at, 'allowedRoles', index], message: `must be one of ${known.join(', ')}` },
    ),
  ]
}

export const addressSortingIsKnown: Rule = ({ machine }) => {
  const sorting = textAt(machine, 'features', 'nodeAddressSortAlgorithm')
  if (['', 'v1', 'v2'].includes(sorting.toLowerCase())) return []
  return [{ at: ['machine', 'features', 'nodeAddressSortAlgorithm'], message: 'must be v1 or v2' }]
}

/** A partition without a size takes what is left, so that none can come after it. */
export const onlyLastPartitionTakesAll: Rule = ({ machine }) =>
  listAt(machine, 'disks').flatMap((disk, index): Fault[] => {
    const at = ['machine', 'disks', index]
    if (!isJsonObject(disk)) return [{ at, message: 'must not be empty' }]
    const partitions = listAt(disk, 'partitions')
    return eachOf(partitions.slice(0, -1), (partition, number) =>
      parseByteSize(textAt(partition, 'size'))
        ? undefined
        : {
            at: [...at, 'partitions', number],
            message: 'needs a size: the last partition alone may take what is left',
          },
    )
  })

export const registriesAreFilled: Rule = ({ machine }) =>
  ['config', 'mirrors'].flatMap((section) =>
    Object.entries(mappingAt(machine, 'registries', section))
      .filter(([, each]) => each === null)
      .map(([key]) => ({
        at: ['machine', 'registries', section, key],
        message: 'must not be empty',
      })),
  )

export const logsGoSomewhere: Rule = ({ machine }) =>
  eachOf(listAt(machine, 'logging', 'destinations'), (destination, index) => {
    const at = ['machine', 'logging', 'destinations', index]
    const url = parseGoUrl(textAt(destination, 'endpoint'))
    const isGood = url !== undefined && url.host !== '' && /^(tcp|udp)$/.test(url.scheme)
    return [
      ...(isGood
        ? []
        : [
            {
              at: [...at, 'endpoint'],
              message: 'must begin with tcp:// or udp:// and have a host',
            },
          ]),
      ...(textAt(destination, 'format') === 'json_lines'
        ? []
        : [{ at: [...at, 'format'], message: 'must be json_lines' }]),
    ]
  })

export const extensionsAreInTheImage: Rule = ({ machine }) => {
  const at = ['machine', 'install', 'extensions']
  const images = listAt(machine, 'install', 'extensions').map((each) => textAt(each, 'image'))
  if (images.length === 0) return []
  return [
    {
      at,
      message: 'does nothing any more',
      hint: 'Name extensions in talos.extensions of the cluster file: they are built into the image.',
      isWarning: true,
    },
    ...eachOf(images, (_, index) =>
      images.indexOf(images[index] ?? '') < index
        ? { at: [...at, index], message: 'stands in the list twice' }
        : undefined,
    ),
  ]
}

const partitions = ['state', 'ephemeral']

export const legacyEncryptionHasKeys: Rule = ({ machine }) =>
  partitions
    .filter((partition) => isSetAt(machine, 'systemDiskEncryption', partition))
    .flatMap((partition) => {
      const at = ['machine', 'systemDiskEncryption', partition]
      return encryptionKeyFaults(at, listAt(machine, 'systemDiskEncryption', partition, 'keys'))
    })

const keyKinds = ['static', 'nodeID', 'kms', 'tpm']

/** LUKS keeps each key in a slot of its own, and every key comes from somewhere. */
export function encryptionKeyFaults(
  at: readonly string[],
  keys: ReturnType<typeof listAt>,
): Fault[] {
  if (!hasElements(keys)) return [{ at: [...at, 'keys'], message: 'needs one key at least' }]
  const slots = keys.map((key) => numberAt(key, 'slot'))
  return keys.flatMap((key, index) => {
    const here = [...at, 'keys', index]
    const isDuplicate = slots.indexOf(numberAt(key, 'slot')) < index
    const isEmpty = !keyKinds.some((kind) => isSetAt(key, kind))
    return [
      ...(isDuplicate ? [{ at: [...here, 'slot'], message: 'is the slot of another key' }] : []),
      ...(isEmpty ? [{ at: here, message: `needs one of ${keyKinds.join(', ')}` }] : []),
    ]
  })
}

/** Since 1.14 these have documents of their own, and Talos warns of the old fields. */
export const oldFieldsHaveDocuments: Rule = ({ machine }, { minor }) => {
  if (minor < 14) return []
  const overrides = mappingAt(machine, 'baseRuntimeSpecOverrides')
  return [
    ...(hasElements(listAt(machine, 'files'))
      ? [isDeprecated('files', 'Write an EtcFileConfig document for a file below /etc.')]
      : []),
    ...(Object.keys(overrides).length > 0
      ? [isDeprecated('baseRuntimeSpecOverrides', 'Write a CRIBaseRuntimeSpecConfig document.')]
      : []),
  ]
}

function isDeprecated(field: string, hint: string): Fault {
  return {
    at: ['machine', field],
    message: 'is deprecated since Talos 1.14',
    hint,
    isWarning: true,
  }
}
