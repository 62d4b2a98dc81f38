import { apiServerPort } from '../../spec/hosts/api-server-port.ts'
import type { HostsSpec } from '../../spec/hosts/hosts-spec.ts'

/** The address of the Kubernetes API, without its port. */
export function endpointHost({ kubeadm: { endpoint } }: Pick<HostsSpec, 'kubeadm'>): string {
  return endpoint.type === 'virtualIp' ? endpoint.address : endpoint.host
}

export function endpointPort({ kubeadm: { endpoint } }: Pick<HostsSpec, 'kubeadm'>): number {
  return endpoint.type === 'virtualIp' ? apiServerPort : endpoint.port
}

/** Where everybody reaches the Kubernetes API: `10.0.0.10:6443`. */
export function controlPlaneEndpoint(spec: Pick<HostsSpec, 'kubeadm'>): string {
  return `${endpointHost(spec)}:${endpointPort(spec)}`
}
