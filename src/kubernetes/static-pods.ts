import { listAt, textAt } from '../lib/kubernetes-object.ts'
import { type Checked, waitFor } from '../lib/wait-for.ts'
import { isApiAway } from './api-refusal.ts'
import type { KubernetesClient } from './kubernetes-client.ts'
import type { NodeWait } from './nodes.ts'
import { notReadyBecause } from './readiness.ts'

export interface StaticPod {
  /** `kube-apiserver`: what Talos labels the pod with. */
  readonly component: string
  readonly node: string
  /** The image that it is to run. */
  readonly image: string
}

/**
 * Waits until a component of the control plane runs from this image on a node and is Ready there, by the
 * mirror pod that the kubelet makes of it. An API that is away for a moment is waited for: it may be the
 * component that restarts. Throws `wait-timeout`.
 */
export async function waitForStaticPod(
  client: KubernetesClient,
  pod: StaticPod,
  wait: NodeWait,
): Promise<void> {
  await waitFor(
    `${pod.component} on ${pod.node} to run ${pod.image}`,
    async () => {
      try {
        return await checkStaticPod(client, pod)
      } catch (error) {
        if (!isApiAway(error)) throw error
        return { pending: 'the Kubernetes API is away' }
      }
    },
    {
      everyMs: 1_000,
      hint: `Find its container with \`hcloud-talos talos containers -k --nodes ${pod.node}\`, and look at its log with \`hcloud-talos talos logs -k\` and the id that is printed.`,
      ...wait,
    },
  )
}

async function checkStaticPod(
  client: KubernetesClient,
  { component, node, image }: StaticPod,
): Promise<Checked<undefined>> {
  const pods = await client.list({
    apiVersion: 'v1',
    kind: 'Pod',
    namespace: 'kube-system',
    labelSelector: `k8s-app=${component}`,
    fieldSelector: `spec.nodeName=${node}`,
  })
  const [pod] = pods
  if (!pod) return { pending: 'its pod is not there' }
  const running = textAt(listAt(pod, 'spec', 'containers')[0], 'image')
  if (running !== image) return { pending: `it still runs ${running}` }
  const reason = notReadyBecause(pod)
  return reason === undefined ? { done: undefined } : { pending: reason }
}
