import type { KubeObject } from '../model/kube-object.ts'
import {
  numberAt,
  objectAt,
  objectsAt,
  textAt,
  textMapAt,
  textsAt,
  valueAt,
} from '../model/read-json.ts'
import { ageCell, ageOf, type Column } from './column.ts'

const name: Column = { name: 'Name', cell: ({ metadata }) => metadata.name }
const age: Column = { name: 'Age', cell: ageCell }

function externalIp(service: KubeObject): string {
  const found = objectsAt(service, 'status', 'loadBalancer', 'ingress').map(
    (ingress) => textAt(ingress, 'ip') || textAt(ingress, 'hostname'),
  )
  if (found.length > 0) return found.join(',')
  return textAt(service, 'spec', 'type') === 'LoadBalancer' ? '<pending>' : '<none>'
}

function ports(service: KubeObject): string {
  const texts = objectsAt(service, 'spec', 'ports').map((port) => {
    const node = numberAt(port, 'nodePort')
    const number = numberAt(port, 'port') ?? 0
    return `${number}${node === undefined ? '' : `:${node}`}/${textAt(port, 'protocol')}`
  })
  return texts.length === 0 ? '<none>' : texts.join(',')
}

function requestCondition(request: KubeObject): string {
  const types = objectsAt(request, 'status', 'conditions').map((condition) =>
    textAt(condition, 'type'),
  )
  const issued = textAt(request, 'status', 'certificate') === '' ? [] : ['Issued']
  const words = [...types, ...issued]
  return words.length === 0 ? 'Pending' : words.join(',')
}

const orNotSet = (value: unknown) => (value === undefined ? 'N/A' : String(value))

export const otherColumns: Readonly<Record<string, readonly Column[]>> = {
  namespaces: [name, { name: 'Status', cell: (object) => textAt(object, 'status', 'phase') }, age],
  services: [
    name,
    { name: 'Type', cell: (service) => textAt(service, 'spec', 'type') },
    { name: 'Cluster-IP', cell: (service) => textAt(service, 'spec', 'clusterIP') || '<none>' },
    { name: 'External-IP', cell: externalIp },
    { name: 'Port(s)', cell: ports },
    age,
    {
      name: 'Selector',
      priority: 1,
      cell: (service) =>
        Object.entries(textMapAt(service, 'spec', 'selector'))
          .map(([key, value]) => `${key}=${value}`)
          .join(',') || '<none>',
    },
  ],
  secrets: [
    name,
    { name: 'Type', cell: (secret) => textAt(secret, 'type') },
    {
      name: 'Data',
      kind: 'integer',
      cell: (secret) => Object.keys(objectAt(secret, 'data')).length,
    },
    age,
  ],
  configmaps: [
    name,
    {
      name: 'Data',
      kind: 'integer',
      cell: (map) =>
        Object.keys(objectAt(map, 'data')).length + Object.keys(objectAt(map, 'binaryData')).length,
    },
    age,
  ],
  serviceaccounts: [
    name,
    { name: 'Secrets', kind: 'integer', cell: (account) => objectsAt(account, 'secrets').length },
    age,
  ],
  events: [
    { name: 'Last Seen', cell: (event, now) => ageOf(textAt(event, 'lastTimestamp'), now) },
    { name: 'Type', cell: (event) => textAt(event, 'type') },
    { name: 'Reason', cell: (event) => textAt(event, 'reason') },
    {
      name: 'Object',
      cell: (event) =>
        `${textAt(event, 'involvedObject', 'kind').toLowerCase()}/${textAt(event, 'involvedObject', 'name')}`,
    },
    { name: 'Message', cell: (event) => textAt(event, 'message') },
  ],
  persistentvolumeclaims: [
    name,
    { name: 'Status', cell: (claim) => textAt(claim, 'status', 'phase') },
    { name: 'Volume', cell: (claim) => textAt(claim, 'spec', 'volumeName') },
    { name: 'Capacity', cell: (claim) => textAt(claim, 'status', 'capacity', 'storage') },
    {
      name: 'Access Modes',
      cell: (claim) => textsAt(claim, 'spec', 'accessModes').map(modeLetters).join(','),
    },
    { name: 'StorageClass', cell: (claim) => textAt(claim, 'spec', 'storageClassName') },
    age,
  ],
  'storageclasses.storage.k8s.io': [
    {
      name: 'Name',
      cell: ({ metadata }) =>
        metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true'
          ? `${metadata.name} (default)`
          : metadata.name,
    },
    { name: 'Provisioner', cell: (object) => textAt(object, 'provisioner') },
    { name: 'ReclaimPolicy', cell: (object) => textAt(object, 'reclaimPolicy') },
    { name: 'VolumeBindingMode', cell: (object) => textAt(object, 'volumeBindingMode') },
    {
      name: 'AllowVolumeExpansion',
      cell: (object) => valueAt(object, 'allowVolumeExpansion') === true,
    },
    age,
  ],
  'certificatesigningrequests.certificates.k8s.io': [
    name,
    age,
    { name: 'SignerName', cell: (request) => textAt(request, 'spec', 'signerName') },
    { name: 'Requestor', cell: (request) => textAt(request, 'spec', 'username') },
    { name: 'RequestedDuration', cell: () => '<none>' },
    { name: 'Condition', cell: requestCondition },
  ],
  'poddisruptionbudgets.policy': [
    name,
    { name: 'Min Available', cell: (budget) => orNotSet(valueAt(budget, 'spec', 'minAvailable')) },
    {
      name: 'Max Unavailable',
      cell: (budget) => orNotSet(valueAt(budget, 'spec', 'maxUnavailable')),
    },
    {
      name: 'Allowed Disruptions',
      kind: 'integer',
      cell: (budget) => numberAt(budget, 'status', 'disruptionsAllowed') ?? 0,
    },
    age,
  ],
  'customresourcedefinitions.apiextensions.k8s.io': [
    name,
    { name: 'Created At', cell: ({ metadata }) => metadata.creationTimestamp ?? '' },
  ],
  'leases.coordination.k8s.io': [
    name,
    { name: 'Holder', cell: (lease) => textAt(lease, 'spec', 'holderIdentity') },
    age,
  ],
}

function modeLetters(mode: string): string {
  return mode === 'ReadWriteOncePod' ? 'RWOP' : mode.replace(/[a-z]/g, '')
}
