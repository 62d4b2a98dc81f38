import type { CatalogueAddon } from './addon.ts'
import { controlPlaneOnly, tolerateTaints } from './placement.ts'

/**
 * Hetzner's cloud controller manager: initializes nodes, keeps routes and load balancers. As a
 * DaemonSet on the host network, since that form alone starts before there is a pod network.
 */
export const hcloudCcm: CatalogueAddon = {
  name: 'hcloud-ccm',
  title: 'Hetzner cloud controller manager',
  chart: 'hcloud-cloud-controller-manager',
  repository: 'https://charts.hetzner.cloud',
  // Never below 1.30.1: older ones crash since Hetzner's API dropped a server's datacenter
  // (2026-07-01). Ranges as in the manager's own version policy.
  versions: [
    {
      version: '1.35.0',
      kubernetes: { from: '1.33', to: '1.36' },
      sha256: '22ed0126b392e1100a942dbe5fb47cd8057b43138d9974c308760ad58f2eac24',
    },
    {
      version: '1.30.1',
      kubernetes: { from: '1.32', to: '1.35' },
      sha256: '47fb5036597557f815cb27ca304ad4932366d788d5a2adfd91f0c9e9fcce96a6',
    },
  ],
  namespace: 'kube-system',
  namespaceLabels: {},
  wave: 1,
  needs: [],
  brings: 'initialized',
  usesHetzner: true,
  removalRisk: 'live',
  probes: [{ type: 'workloads' }],
  enabled: (spec) => spec.addons.hcloudCcm.enabled,
  userValues: (spec) => spec.addons.hcloudCcm.values,
  values: (spec, { surroundings: { apiServer, taints, loadBalancers } }) => ({
    kind: 'DaemonSet',
    nodeSelector: controlPlaneOnly,
    // The chart tolerates a node that is not ready only against eviction, not against scheduling.
    additionalTolerations: [
      { key: 'node.kubernetes.io/not-ready', operator: 'Exists' },
      ...tolerateTaints(taints.controlPlanes),
    ],
    // Must be the pods' real range: any other leaves stale routes and floods Hetzner's API.
    networking: { enabled: true, clusterCIDR: spec.network.podRange },
    env: {
      KUBERNETES_SERVICE_HOST: { value: apiServer.host },
      KUBERNETES_SERVICE_PORT: { value: String(apiServer.port) },
      HCLOUD_NETWORK_ROUTES_ENABLED: { value: 'true' },
      // Without a location or zone every Service of type LoadBalancer fails.
      ...(loadBalancers && { HCLOUD_LOAD_BALANCERS_LOCATION: { value: loadBalancers.location } }),
      HCLOUD_LOAD_BALANCERS_TYPE: { value: 'lb11' },
      HCLOUD_LOAD_BALANCERS_ALGORITHM_TYPE: { value: 'least_connections' },
      HCLOUD_LOAD_BALANCERS_USE_PRIVATE_IP: { value: 'true' },
      HCLOUD_LOAD_BALANCERS_DISABLE_PRIVATE_INGRESS: { value: 'true' },
      ...(loadBalancers && {
        HCLOUD_LOAD_BALANCERS_PRIVATE_SUBNET_IP_RANGE: { value: loadBalancers.privateRange },
      }),
      HCLOUD_LOAD_BALANCERS_HEALTH_CHECK_INTERVAL: { value: '3s' },
      HCLOUD_LOAD_BALANCERS_HEALTH_CHECK_TIMEOUT: { value: '3s' },
      HCLOUD_LOAD_BALANCERS_HEALTH_CHECK_RETRIES: { value: '3' },
    },
  }),
}
