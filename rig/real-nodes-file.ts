import { rigAddresses } from './network/rig-addresses.ts'

export const registryPort = 5_000

/** Where the images of nodes and pods come from: the endpoint of a file's registry mirrors. */
const registryUrl = `http://${rigAddresses.internet}:${registryPort}`

const mirrored = ['docker.io', 'factory.talos.dev', 'ghcr.io', 'quay.io', 'registry.k8s.io']

/**
 * `talos` of a cluster file for real nodes: mirrors, because there is no other registry, and what Talos
 * wants of a config in a container (a kubelet on cgroups of version 1, cluster DNS through the host).
 */
export const realNodesTalosKeys = {
  registryMirrors: Object.fromEntries(mirrored.map((host) => [host, [registryUrl]])),
  patches: [
    {
      machine: {
        kubelet: { extraConfig: { failCgroupV1: false } },
        features: { hostDNS: { forwardKubeDNSToHost: true } },
      },
    },
  ],
}
