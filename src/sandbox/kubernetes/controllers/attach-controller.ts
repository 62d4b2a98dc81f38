import { sha256Hex } from '../../stable-json.ts'
import { type KubeObject, withStatus } from '../model/kube-object.ts'
import { textAt } from '../model/read-json.ts'
import { make } from './bootstrap-objects.ts'
import { type ClusterContext, change } from './cluster-context.ts'
import type { Controller } from './controller.ts'
import { csiDriver } from './csi-controller.ts'
import { claimNames } from './pod-volumes.ts'

const resource = 'volumeattachments.storage.k8s.io'

/** Attaches volumes to the nodes whose pods use them, one node at a time, and takes them off again. */
export function attachController(context: ClusterContext): Controller {
  const { store } = context.api
  return {
    name: 'attach-detach',
    concerns: ({ resource: changed, object }) => {
      if (changed === 'pods')
        return claimNames(object).map((name) => `${object.metadata.namespace}/${name}`)
      if (changed !== 'persistentvolumeclaims') return []
      return [`${object.metadata.namespace}/${object.metadata.name}`]
    },
    reconcile: (key) => {
      const claim = store.get('persistentvolumeclaims', key)
      const volume = store.get('persistentvolumes', textAt(claim, 'spec', 'volumeName'))
      if (claim && volume && textAt(volume, 'spec', 'csi', 'driver') === csiDriver) {
        reconcile(context, claim, volume)
      }
      return undefined
    },
  }
}

function reconcile(context: ClusterContext, claim: KubeObject, volume: KubeObject): void {
  const users = nodesUsing(context, claim)
  const attachments = context.api.store
    .list(resource)
    .filter((one) => textAt(one, 'spec', 'source', 'persistentVolumeName') === volume.metadata.name)
  const id = Number(textAt(volume, 'spec', 'csi', 'volumeHandle'))
  const kept = attachments.filter((one) => users.includes(textAt(one, 'spec', 'nodeName')))
  for (const attachment of attachments) {
    if (kept.includes(attachment)) continue
    context.cloud.detachVolume(id)
    context.api.store.remove(resource, attachment.metadata.name)
  }
  const [node] = users
  if (node === undefined || kept.length > 0) return
  const serverId = context.kubelets.get(node)?.registration.serverId
  if (serverId === undefined) return
  const name = `csi-${sha256Hex(`${volume.metadata.name} ${node}`)}`
  make(context, resource, {
    metadata: { name },
    spec: {
      attacher: csiDriver,
      nodeName: node,
      source: { persistentVolumeName: volume.metadata.name },
    },
  })
  context.cloud.attachVolume(id, serverId)
  change(context, resource, name, (live) => withStatus(live, { attached: true }))
}

/** Where pods use a claim; a pod that has ended does not use it any more. */
function nodesUsing({ api }: ClusterContext, claim: KubeObject): string[] {
  const nodes = api.store
    .list('pods', claim.metadata.namespace)
    .filter(
      (pod) =>
        claimNames(pod).includes(claim.metadata.name) &&
        !['Succeeded', 'Failed'].includes(textAt(pod, 'status', 'phase')),
    )
    .map((pod) => textAt(pod, 'spec', 'nodeName'))
  return [...new Set(nodes.filter((node) => node !== ''))]
}
