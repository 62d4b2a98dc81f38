import { apiServerPort } from '../../spec/hosts/api-server-port.ts'
import type { HostsSpec } from '../../spec/hosts/hosts-spec.ts'
import { clusterConfiguration } from './cluster-configuration.ts'
import { criSocket, kubeadmApi } from './kubeadm-paths.ts'
import { renderDocuments } from './render-documents.ts'

/** A control plane that signs for users. */
export interface SigningHost {
  readonly name: string
  readonly nodeIp: string
}

/**
 * The file of `kubeadm kubeconfig user`, which asks for one: the server of the kubeconfig is the endpoint in it. What
 * kubeadm would look for otherwise (a default route, a socket, the newest version) is in it as well. Holds no secret.
 */
export function userFile(spec: HostsSpec, { name, nodeIp }: SigningHost, version: string): string {
  return renderDocuments([
    {
      apiVersion: kubeadmApi,
      kind: 'InitConfiguration',
      nodeRegistration: { name, criSocket, taints: [] },
      localAPIEndpoint: { advertiseAddress: nodeIp, bindPort: apiServerPort },
    },
    clusterConfiguration({ ...spec, kubernetes: { ...spec.kubernetes, version } }),
  ])
}
