import { isKubernetesObject, type KubernetesObject } from '../../lib/kubernetes-object.ts'
import { listResources } from './resources.ts'
import type { CallOptions, TalosCaller } from './talos-caller.ts'

/**
 * The objects that a control plane brings into its cluster (CoreDNS, kube-proxy, those of the config),
 * as its Talos and its config have them now. Among them is the bootstrap token: not to be shown.
 */
export async function listBootstrapManifests(
  client: TalosCaller,
  options?: CallOptions,
): Promise<KubernetesObject[]> {
  const type = { namespace: 'controlplane', type: 'Manifests.kubernetes.talos.dev' }
  const resources = await listResources(client, type, options)
  return resources.flatMap(({ spec }) =>
    Array.isArray(spec)
      ? spec.filter((item): item is KubernetesObject => isKubernetesObject(item))
      : [],
  )
}
