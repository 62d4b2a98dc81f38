import { ciliumChart } from './cilium-chart.ts'
import { csrApproverChart } from './csr-approver-chart.ts'
import { hcloudCcmChart } from './hcloud-ccm-chart.ts'
import { hcloudCsiChart } from './hcloud-csi-chart.ts'
import type { StandInChart } from './stand-in-chart.ts'

/** An image that pods of the stand-in charts start, and what stands in it where pods run for real. */
export interface StandInImage {
  readonly references: readonly string[]
  /**
   * Paths in the image under which the program of rig/standins is to be found: it acts by its name. The
   * first one is the image's entrypoint.
   */
  readonly programs: readonly string[]
  /** Whether it makes a node's network, and needs the tools for that; see rig/standins/README.md. */
  readonly network: boolean
}

/** Every image that a stand-in chart names, in any version. */
export const standInImages: readonly StandInImage[] = [
  {
    references: ofVersions(ciliumChart, 'quay.io/cilium/cilium'),
    programs: ['/usr/bin/cilium-agent', '/install-plugin.sh'],
    network: true,
  },
  starting(
    '/usr/bin/cilium-operator-generic',
    ofVersions(ciliumChart, 'quay.io/cilium/operator-generic'),
  ),
  starting('/usr/bin/cilium-certgen', ['quay.io/cilium/certgen:v0.3.2']),
  starting(
    '/bin/hcloud-cloud-controller-manager',
    ofVersions(hcloudCcmChart, 'docker.io/hetznercloud/hcloud-cloud-controller-manager'),
  ),
  starting(
    '/usr/bin/kubelet-csr-approver',
    ofVersions(csrApproverChart, 'ghcr.io/postfinance/kubelet-csr-approver'),
  ),
  starting(
    '/bin/hcloud-csi-driver',
    ofVersions(hcloudCsiChart, 'docker.io/hetznercloud/hcloud-csi-driver'),
  ),
  starting('/csi-node-driver-registrar', [
    'registry.k8s.io/sig-storage/csi-node-driver-registrar:v2.16.0',
  ]),
  starting('/csi-attacher', ['registry.k8s.io/sig-storage/csi-attacher:v4.11.0']),
  starting('/csi-provisioner', ['registry.k8s.io/sig-storage/csi-provisioner:v6.2.0']),
]

function starting(program: string, references: readonly string[]): StandInImage {
  return { references, programs: [program], network: false }
}

function ofVersions({ versions }: StandInChart, image: string): string[] {
  return versions.map((version) => `${image}:v${version}`)
}
