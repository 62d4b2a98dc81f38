import type { JsonObject } from '../../lib/json.ts'
import type { HostsSpec } from '../../spec/hosts/hosts-spec.ts'

/** What all kubelets share. Their serving certificates come from the cluster where something approves them. */
export function kubeletConfiguration({ addons }: HostsSpec): JsonObject {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    cgroupDriver: 'systemd',
    rotateCertificates: true,
    serverTLSBootstrap: addons.csrApprover.enabled,
  }
}
