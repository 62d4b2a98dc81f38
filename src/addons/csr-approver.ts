import type { CatalogueAddon } from './addon.ts'
import { controlPlaneOnly, tolerateControlPlane } from './placement.ts'

/** Approves the serving certificates of kubelets, without which logs, exec and metrics fail. */
export const csrApprover: CatalogueAddon = {
  name: 'csr-approver',
  title: 'Kubelet CSR approver',
  chart: 'kubelet-csr-approver',
  repository: 'https://postfinance.github.io/kubelet-csr-approver',
  // 1.2.0 ignored bypassDnsResolution (postfinance/kubelet-csr-approver#253). Its makers name no range:
  // it needs certificates.k8s.io/v1 and nothing else, which is there since 1.19.
  versions: [
    {
      version: '1.2.14',
      kubernetes: { from: '1.19', to: '1.37' },
      sha256: '4bd637228cd354c1fd8b8e44a0a1c9d7bc9074c01d3eb43c82d39ef11430a090',
    },
  ],
  namespace: 'kube-system',
  namespaceLabels: {},
  wave: 2,
  needs: ['cilium', 'hcloud-ccm'],
  brings: 'certificates',
  usesHetzner: false,
  removalRisk: 'live',
  probes: [{ type: 'workloads' }],
  enabled: (spec) => spec.addons.csrApprover.enabled,
  userValues: (spec) => spec.addons.csrApprover.values,
  values: (_spec, { surroundings }) => ({
    providerRegex: surroundings.servingCertificates.nodeNames,
    providerIpPrefixes: [...surroundings.servingCertificates.addressRanges],
    // Names of nodes need not resolve anywhere; with the check every request would be denied then.
    bypassDnsResolution: true,
    replicas: Math.min(2, surroundings.controlPlanes),
    nodeSelector: controlPlaneOnly,
    tolerations: tolerateControlPlane(surroundings),
  }),
}
