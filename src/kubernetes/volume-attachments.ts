import { type KubernetesObject, listAt, refOf, textAt } from '../lib/kubernetes-object.ts'
import type { KubernetesClient } from './kubernetes-client.ts'

const attachmentKind = { apiVersion: 'storage.k8s.io/v1', kind: 'VolumeAttachment' } as const

/**
 * Names of the volumes that are still attached to a node, those of the pods that stay there left out:
 * they never go. A node that boots with a volume attached makes it unusable elsewhere for minutes.
 */
export async function attachedVolumes(
  client: KubernetesClient,
  node: string,
  staying: readonly KubernetesObject[],
): Promise<string[]> {
  const { resourceOf } = await client.discovery()
  if (!resourceOf(attachmentKind.apiVersion, attachmentKind.kind)) return []
  const attachments = await client.list(attachmentKind)
  const volumes = attachments
    .filter((attachment) => textAt(attachment, 'spec', 'nodeName') === node)
    .map((one) => textAt(one, 'spec', 'source', 'persistentVolumeName') ?? one.metadata.name)
  if (volumes.length === 0) return []
  const kept = await volumesOf(client, staying)
  return volumes.filter((volume) => !kept.has(volume))
}

async function volumesOf(
  client: KubernetesClient,
  pods: readonly KubernetesObject[],
): Promise<Set<string>> {
  const claims = pods.flatMap((pod) =>
    listAt(pod, 'spec', 'volumes').flatMap((volume) => {
      const name = textAt(volume, 'persistentVolumeClaim', 'claimName')
      return name === undefined ? [] : [{ namespace: refOf(pod).namespace ?? 'default', name }]
    }),
  )
  const found = await Promise.all(
    claims.map((claim) =>
      client.get({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', ...claim }),
    ),
  )
  return new Set(found.flatMap((claim) => textAt(claim, 'spec', 'volumeName') ?? []))
}
