import type { JsonObject } from '../../lib/json.ts'
import { apiServerPort } from '../../spec/hosts/api-server-port.ts'
import type { HostSpec, HostsSpec } from '../../spec/hosts/hosts-spec.ts'
import { tokensField } from './bootstrap-token.ts'
import { clusterConfiguration } from './cluster-configuration.ts'
import type { JoinMaterial } from './join-material.ts'
import { kubeadmApi } from './kubeadm-paths.ts'
import { kubeadmTimeouts } from './kubeadm-timeouts.ts'
import { kubeletConfiguration } from './kubelet-configuration.ts'
import { nodeRegistration } from './node-registration.ts'
import { onKeptConfiguration, onKeptKubelet } from './on-kept.ts'
import { patchesField } from './patch-files.ts'
import { renderDocuments } from './render-documents.ts'

/** For as long as kubeadm keeps the keys of the control plane for others. */
const tokenMinutes = 120

/** What a cluster that runs keeps of its configurations; both are absent where there is none. */
export interface KeptConfigurations {
  readonly configuration?: JsonObject | undefined
  readonly kubeletConfiguration?: JsonObject | undefined
}

/**
 * The file of `kubeadm init` on the first control plane, and of single phases of it on a cluster that runs, of which what
 * the cluster file cannot say is `kept`. The certificate key stands in it, since kubeadm takes no flag for it beside a
 * file. Holds secrets.
 */
export function initFile(
  spec: HostsSpec,
  host: HostSpec,
  material: JoinMaterial,
  kept: KeptConfigurations = {},
): string {
  return renderDocuments([
    initConfiguration(spec, host, material),
    onKeptConfiguration(clusterConfiguration(spec), kept.configuration),
    onKeptKubelet(kubeletConfiguration(spec), kept.kubeletConfiguration),
  ])
}

function initConfiguration(
  spec: HostsSpec,
  host: HostSpec,
  { token, certificateKey }: JoinMaterial,
): JsonObject {
  return {
    apiVersion: kubeadmApi,
    kind: 'InitConfiguration',
    ...tokensField(token, { minutes: tokenMinutes, description: 'joins of one run' }),
    nodeRegistration: nodeRegistration(spec, host),
    localAPIEndpoint: { advertiseAddress: host.nodeIp, bindPort: apiServerPort },
    certificateKey,
    ...patchesField(spec),
    ...kubeadmTimeouts(spec, 'init'),
  }
}
