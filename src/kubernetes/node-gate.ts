import type { GateRequirements } from '../lib/addon-cluster.ts'
import { type KubernetesObject, listAt, textAt } from '../lib/kubernetes-object.ts'
import { type Checked, waitFor } from '../lib/wait-for.ts'
import type { KubernetesClient } from './kubernetes-client.ts'
import { type KubernetesNode, listNodes, type NodeWait, uninitializedTaint } from './nodes.ts'

/** Waits until the gate is open. Throws `wait-timeout` with the first thing that is missing. */
export async function waitForGate(
  client: KubernetesClient,
  requirements: GateRequirements,
  wait: NodeWait,
): Promise<void> {
  await waitFor(
    'all nodes to be usable',
    async () => {
      const nodes = await listNodes(client)
      const missing = gateMissing(nodes, requirements)
      if (missing !== undefined) return { pending: missing }
      return requirements.certificates ? judgeRequests(await servingRequests(client)) : open
    },
    {
      everyMs: 1_000,
      hint: 'Look at the pods of the cloud controller manager, the network and the CSR approver.',
      ...wait,
    },
  )
}

const open: Checked<undefined> = { done: undefined }

/** The first thing that a node lacks, as half a sentence; undefined when none lacks anything. Pure. */
export function gateMissing(
  nodes: readonly KubernetesNode[],
  { nodes: names, ready, initialized }: GateRequirements,
): string | undefined {
  const byName = new Map(nodes.map((node) => [node.name, node]))
  for (const name of names) {
    const node = byName.get(name)
    if (!node) return `${name} has not joined yet`
    if (initialized && node.providerId === undefined) return `${name} has no provider id yet`
    if (initialized && node.taints.some((taint) => taint.key === uninitializedTaint)) {
      return `${name} still carries the taint of the uninitialized`
    }
    if (ready && !node.ready) return `${name} is not Ready: ${node.notReadyBecause}`
  }
  return undefined
}

function servingRequests(client: KubernetesClient): Promise<KubernetesObject[]> {
  return client.list({
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    fieldSelector: 'spec.signerName=kubernetes.io/kubelet-serving',
  })
}

function judgeRequests(requests: readonly KubernetesObject[]): Checked<undefined> {
  const waiting = requests.find((one) => listAt(one, 'status', 'conditions').length === 0)
  if (!waiting) return open
  const who = textAt(waiting, 'spec', 'username') ?? waiting.metadata.name
  return { pending: `the serving certificate of ${who} is not approved yet` }
}
