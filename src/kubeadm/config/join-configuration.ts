import type { JsonObject } from '../../lib/json.ts'
import { apiServerPort } from '../../spec/hosts/api-server-port.ts'
import type { HostSpec, HostsSpec } from '../../spec/hosts/hosts-spec.ts'
import { tokenText } from './bootstrap-token.ts'
import { controlPlaneEndpoint } from './control-plane-endpoint.ts'
import type { JoinMaterial } from './join-material.ts'
import { kubeadmApi } from './kubeadm-paths.ts'
import { kubeadmTimeouts } from './kubeadm-timeouts.ts'
import { nodeRegistration } from './node-registration.ts'
import { patchesField } from './patch-files.ts'
import { renderDocuments } from './render-documents.ts'

/** What a host joins by. A worker gets no key of the control plane. */
export interface JoinDiscovery extends Pick<JoinMaterial, 'token'> {
  /** `sha256:…`; of every authority while it is rotated. */
  readonly caCertHashes: readonly string[]
}

/** The file of `kubeadm join` on a worker. Holds a secret. */
export function workerJoinFile(spec: HostsSpec, host: HostSpec, discovery: JoinDiscovery): string {
  return renderDocuments([joinConfiguration(spec, host, discovery, {})])
}

/** The file of `kubeadm join` on a further control plane. Holds secrets. */
export function controlPlaneJoinFile(
  spec: HostsSpec,
  host: HostSpec,
  { certificateKey, ...discovery }: JoinDiscovery & JoinMaterial,
): string {
  const localAPIEndpoint = { advertiseAddress: host.nodeIp, bindPort: apiServerPort }
  const controlPlane = { localAPIEndpoint, certificateKey }
  return renderDocuments([joinConfiguration(spec, host, discovery, { controlPlane })])
}

function joinConfiguration(
  spec: HostsSpec,
  host: HostSpec,
  { token, caCertHashes }: JoinDiscovery,
  role: JsonObject,
): JsonObject {
  if (caCertHashes.length === 0) throw new Error('a host joins only what it knows the authority of')
  return {
    apiVersion: kubeadmApi,
    kind: 'JoinConfiguration',
    discovery: {
      bootstrapToken: {
        token: tokenText(token),
        apiServerEndpoint: controlPlaneEndpoint(spec),
        caCertHashes,
      },
    },
    nodeRegistration: nodeRegistration(spec, host),
    ...role,
    ...patchesField(spec),
    ...kubeadmTimeouts(spec, 'join'),
  }
}
