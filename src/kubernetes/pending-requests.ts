import { listAt, textAt } from '../lib/kubernetes-object.ts'
import type { KubernetesClient } from './kubernetes-client.ts'

/** Who signs what kubelets ask for: the certificate that they show, and the one by which they sign in. */
const kubeletSigners = [
  'kubernetes.io/kubelet-serving',
  'kubernetes.io/kube-apiserver-client-kubelet',
]

/** Requests of kubelets for a certificate that nobody has decided on. */
export interface PendingRequest {
  /** `demo-workers-1` */
  readonly node: string
  /** Milliseconds since the epoch. */
  readonly since: number
}

/** A kubelet whose request stays undecided keeps the certificate that it has until that ends. */
export async function pendingRequests(client: KubernetesClient): Promise<PendingRequest[]> {
  const requests = await client.list({
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
  })
  return requests
    .filter((request) => kubeletSigners.includes(textAt(request, 'spec', 'signerName') ?? ''))
    .filter(
      (request) =>
        !listAt(request, 'status', 'conditions').some((one) =>
          ['Approved', 'Denied', 'Failed'].includes(textAt(one, 'type') ?? ''),
        ),
    )
    .map((request) => ({
      node: (textAt(request, 'spec', 'username') ?? '').replace(/^system:node:/, ''),
      since: Date.parse(textAt(request, 'metadata', 'creationTimestamp') ?? ''),
    }))
}
