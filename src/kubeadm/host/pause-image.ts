import { parseVersion } from '../../spec/tables/version-matrix.ts'

/** From this minor of Kubernetes on kubeadm takes the newer one. */
const firstWithNewer = 36

/** The image that keeps the namespaces of a pod, as `kubeadm config images list` has it for this Kubernetes. */
export function pauseImage(kubernetesVersion: string): string {
  const minor = parseVersion(kubernetesVersion)?.minor ?? 0
  return `registry.k8s.io/pause:${minor < firstWithNewer ? '3.10.1' : '3.10.2'}`
}
