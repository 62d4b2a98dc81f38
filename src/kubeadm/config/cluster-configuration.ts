import type { JsonObject } from '../../lib/json.ts'
import type { HostsSpec } from '../../spec/hosts/hosts-spec.ts'
import { oidcArguments } from '../../spec/oidc-arguments.ts'
import { controlPlaneEndpoint, endpointHost } from './control-plane-endpoint.ts'
import { kubeadmApi } from './kubeadm-paths.ts'
import { extraArguments } from './named-arguments.ts'

/**
 * What all hosts share, and the cluster keeps. Nothing in it may differ from host to host: the last one that wrote it
 * would have changed the others.
 */
export function clusterConfiguration(spec: HostsSpec): JsonObject {
  const { clusterName, kubernetes, network, cni } = spec
  const certSans = [...new Set([endpointHost(spec), ...kubernetes.certSans])].sort()
  const apiServerArguments = { ...oidcArguments(kubernetes.oidc), ...kubernetes.apiServerExtraArgs }
  return {
    apiVersion: kubeadmApi,
    kind: 'ClusterConfiguration',
    clusterName,
    kubernetesVersion: `v${kubernetes.version}`,
    controlPlaneEndpoint: controlPlaneEndpoint(spec),
    networking: {
      podSubnet: network.podRange,
      serviceSubnet: network.serviceRange,
      dnsDomain: network.dnsDomain,
    },
    apiServer: { certSANs: certSans, ...extraArguments('extraArgs', apiServerArguments) },
    controllerManager: extraArguments('extraArgs', kubernetes.controllerManagerExtraArgs),
    scheduler: extraArguments('extraArgs', kubernetes.schedulerExtraArgs),
    // Cilium does what kube-proxy would.
    proxy: { disabled: cni.type === 'cilium' },
  }
}
