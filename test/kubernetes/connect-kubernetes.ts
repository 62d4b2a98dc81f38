import {
  type ClientOptions,
  clientOver,
  connectTransport,
  type KubernetesClient,
} from '../../src/kubernetes/kubernetes-client.ts'

/** Dials nothing yet: reads the kubeconfig and returns a client for its current context. */
export async function connectKubernetes(options: ClientOptions): Promise<KubernetesClient> {
  return clientOver(await connectTransport(options), options)
}
