import type { CatalogueAddon } from './addon.ts'
import { controlPlaneOnly, tolerateControlPlane } from './placement.ts'

/** Hetzner's storage driver: volumes for claims. */
export const hcloudCsi: CatalogueAddon = {
  name: 'hcloud-csi',
  title: 'Hetzner CSI driver',
  chart: 'hcloud-csi',
  repository: 'https://charts.hetzner.cloud',
  versions: [
    {
      version: '2.22.1',
      kubernetes: { from: '1.33', to: '1.36' },
      sha256: 'b9a9d4667886f9454007acd63cf405d3db3d674eeb93f05d59451439884775a4',
    },
    {
      version: '2.20.2',
      kubernetes: { from: '1.32', to: '1.36' },
      sha256: '5dbe9c87fbb5ce693e6bf1f1aac7113eecd22d70482b2efd1cecfba66cb70aec',
    },
  ],
  namespace: 'kube-system',
  namespaceLabels: {},
  wave: 3,
  needs: ['cilium', 'hcloud-ccm', 'csr-approver'],
  brings: undefined,
  usesHetzner: true,
  removalRisk: 'live',
  probes: [{ type: 'workloads' }, { type: 'csi-driver', driver: 'csi.hetzner.cloud' }],
  enabled: (spec) => spec.addons.hcloudCsi.enabled,
  userValues: (spec) => spec.addons.hcloudCsi.values,
  values: (spec, { uid, surroundings }) => ({
    global: { enableProvidedByTopology: true },
    controller: {
      replicaCount: Math.min(2, surroundings.controlPlanes),
      nodeSelector: controlPlaneOnly,
      tolerations: tolerateControlPlane(surroundings),
      // Volumes carry nothing of their cluster otherwise, and nobody could tell whose they are.
      volumeExtraLabels: { cluster: spec.clusterName, uid },
    },
    // On every node, whatever its taints: a pod with a volume may be wanted anywhere.
    node: { tolerations: [{ operator: 'Exists' }] },
    storageClasses: [
      { name: 'hcloud-volumes', defaultStorageClass: true, reclaimPolicy: 'Delete' },
    ],
  }),
}
