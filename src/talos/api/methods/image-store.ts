import { ContainerDriver, ContainerdNamespace } from '../gen/common/common_pb.js'

/**
 * Where a node keeps images: `system` is Talos's own containerd (installers, debug containers), `services`
 * and `pods` are parts of that of Kubernetes: what Talos runs there (the kubelet, etcd), and pods.
 */
export type ImageStore = keyof typeof stores

const stores = {
  system: { driver: ContainerDriver.CONTAINERD, namespace: ContainerdNamespace.NS_SYSTEM },
  services: { driver: ContainerDriver.CRI, namespace: ContainerdNamespace.NS_SYSTEM },
  pods: { driver: ContainerDriver.CRI, namespace: ContainerdNamespace.NS_CRI },
} as const

/** How long it may take to pull or to install an image, in milliseconds, where a call says nothing else. */
export const imageMs = 900_000

/** Names a store as Talos does. */
export function containerdOf(store: ImageStore) {
  return stores[store]
}
