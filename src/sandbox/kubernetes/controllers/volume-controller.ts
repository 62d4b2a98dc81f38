import { createUnlessThere } from '../api/create-object.ts'
import { type KubeObject, objectKey, withSpec, withStatus } from '../model/kube-object.ts'
import { objectAt, textAt, valueAt } from '../model/read-json.ts'
import { variableOf } from './cloud-settings.ts'
import { type ClusterContext, change, removeFinalizer } from './cluster-context.ts'
import type { Controller } from './controller.ts'
import { csiDriver } from './csi-controller.ts'
import { claimNames, selectedNode } from './pod-volumes.ts'
import { isOf, readyPodsOf } from './running-workload.ts'

const program = 'hcloud-csi-controller'
const claims = 'persistentvolumeclaims'

/** The CSI driver's controller: makes, binds and deletes volumes for claims, while it runs. */
export function volumeController(context: ClusterContext): Controller {
  const { store } = context.api
  const busy = new Set<string>()
  /** Takes as long as Hetzner takes, and is not begun twice. */
  const once: Once = (key, work) => {
    if (busy.has(key)) return
    busy.add(key)
    context.later(context.world.latency('volume'), () => {
      busy.delete(key)
      work()
    })
  }
  return {
    name: 'volumes',
    concerns: ({ resource, object, type }) => {
      if (resource === claims)
        return type === 'DELETED'
          ? [`pv|${textAt(object, 'spec', 'volumeName')}`]
          : [`claim|${objectKey(object)}`]
      if (resource === 'persistentvolumes' && type !== 'DELETED')
        return [`pv|${object.metadata.name}`]
      if (resource !== 'pods') return []
      const own = claimNames(object).map((name) => `claim|${object.metadata.namespace}/${name}`)
      return isOf(object, program)
        ? [...own, ...store.list(claims).map((claim) => `claim|${objectKey(claim)}`)]
        : own
    },
    reconcile: (entry) => {
      const key = entry.slice(entry.indexOf('|') + 1)
      if (entry.startsWith('claim|')) reconcileClaim(context, once, store.get(claims, key))
      else reconcileVolume(context, once, store.get('persistentvolumes', key))
      return undefined
    },
  }
}

type Once = (key: string, work: () => void) => void

function reconcileClaim(context: ClusterContext, once: Once, claim: KubeObject | undefined): void {
  if (!claim) return
  const { deletionTimestamp, namespace } = claim.metadata
  if (deletionTimestamp !== undefined) {
    const used = context.api.store
      .list('pods', namespace)
      .some((pod) => claimNames(pod).includes(claim.metadata.name))
    if (!used) removeFinalizer(context, claims, objectKey(claim), 'kubernetes.io/pvc-protection')
    return
  }
  if (textAt(claim, 'status', 'phase') === 'Bound') return
  const className = textAt(claim, 'spec', 'storageClassName')
  const storageClass = context.api.store.get('storageclasses.storage.k8s.io', className)
  const waits = textAt(storageClass, 'volumeBindingMode') === 'WaitForFirstConsumer'
  const chosen = claim.metadata.annotations?.[selectedNode] !== undefined
  const isOurs = textAt(storageClass, 'provisioner') === csiDriver
  if (!storageClass || !isOurs || (waits && !chosen)) return
  if (readyPodsOf(context, program).length === 0) return
  once(objectKey(claim), () => provision(context, claim, storageClass))
}

function provision(context: ClusterContext, claim: KubeObject, storageClass: KubeObject): void {
  const live = context.api.store.get(claims, objectKey(claim))
  if (live?.metadata.uid !== claim.metadata.uid) return
  const { api } = context
  const { uid = '', name, namespace = '', annotations = {} } = claim.metadata
  const volumeName = `pvc-${uid}`
  const storage = textAt(claim, 'spec', 'resources', 'requests', 'storage')
  const node = annotations[selectedNode]
  const location = locationOf(context, node)
  const labels = {
    'pvc-name': name,
    'pvc-namespace': namespace,
    'pv-name': volumeName,
    'managed-by': 'csi-driver',
    ...extraLabels(context),
  }
  const sizeGb = Math.max(10, gigabytes(storage))
  const { id } = context.cloud.createVolume({ name: volumeName, sizeGb, location, labels })
  const volume: KubeObject = {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      name: volumeName,
      annotations: { 'pv.kubernetes.io/provisioned-by': csiDriver },
    },
    spec: {
      capacity: { storage: `${sizeGb}Gi` },
      accessModes: valueAt(claim, 'spec', 'accessModes') ?? [],
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace, uid },
      persistentVolumeReclaimPolicy: textAt(storageClass, 'reclaimPolicy'),
      storageClassName: storageClass.metadata.name,
      csi: { driver: csiDriver, volumeHandle: String(id), fsType: 'ext4' },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            {
              matchExpressions: [
                { key: `${csiDriver}/location`, operator: 'In', values: [location] },
              ],
            },
          ],
        },
      },
    },
  }
  createUnlessThere(api, api.resources.builtin('persistentvolumes'), volume, { manager: program })
  change(context, 'persistentvolumes', volumeName, (live) => withStatus(live, { phase: 'Bound' }))
  change(context, claims, objectKey(claim), (live) =>
    withStatus(withSpec(live, { ...objectAt(live, 'spec'), volumeName }), {
      phase: 'Bound',
      accessModes: valueAt(live, 'spec', 'accessModes') ?? [],
      capacity: { storage: `${sizeGb}Gi` },
    }),
  )
}

function locationOf({ kubelets, cloud }: ClusterContext, node: string | undefined): string {
  const serverId = kubelets.get(node ?? '')?.registration.serverId
  return (serverId === undefined ? undefined : cloud.server(serverId)?.location) ?? 'hel1'
}

/** What the driver was told to write on every volume: `key=value,key=value`. */
function extraLabels(context: ClusterContext): Record<string, string> {
  const [driver] = readyPodsOf(context, program)
  const text = variableOf(context, driver, 'HCLOUD_VOLUME_EXTRA_LABELS')
  const pairs = text.split(',').filter((pair) => pair.includes('='))
  return Object.fromEntries(pairs.map((pair) => pair.split('=', 2)))
}

function gigabytes(size: string): number {
  const [, number = '0', unit = ''] = /^(\d+)(\w*)$/.exec(size) ?? []
  const factors: Readonly<Record<string, number>> = {
    Ti: 1_024,
    Gi: 1,
    Mi: 1 / 1_024,
    T: 1_000,
    G: 1,
  }
  return Math.ceil(Number(number) * (factors[unit] ?? 1 / 1_024 ** 3))
}

/** A volume whose claim is gone is released, and with it, if its policy says so, what it stands for. */
function reconcileVolume(
  context: ClusterContext,
  once: Once,
  volume: KubeObject | undefined,
): void {
  if (!volume) return
  const { name, deletionTimestamp } = volume.metadata
  const claim = objectAt(volume, 'spec', 'claimRef')
  const key = `${textAt(claim, 'namespace')}/${textAt(claim, 'name')}`
  const isBound = context.api.store.get(claims, key)?.metadata.uid === textAt(claim, 'uid')
  if (isBound) return
  const reclaims = textAt(volume, 'spec', 'persistentVolumeReclaimPolicy') === 'Delete'
  if (!reclaims && deletionTimestamp === undefined) {
    change(context, 'persistentvolumes', name, (live) => withStatus(live, { phase: 'Released' }))
    return
  }
  if (readyPodsOf(context, program).length === 0 && reclaims) return
  once(name, () => {
    const id = Number(textAt(volume, 'spec', 'csi', 'volumeHandle'))
    if (reclaims) context.cloud.deleteVolume(id)
    context.api.store.remove('persistentvolumes', name)
  })
}
