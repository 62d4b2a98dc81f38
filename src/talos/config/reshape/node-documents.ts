import type { Json } from '../../../lib/json.ts'
import { decodeText } from '../base64.ts'
import type { ConfigDocument } from '../config-document.ts'
import { placeholderAs } from '../placeholder.ts'
import { textAt } from '../validate/read-config.ts'
import { ifAny, newDocument } from './new-document.ts'
import type { OldShape } from './old-shape.ts'

const controlPlaneRole = 'node-role.kubernetes.io/control-plane'
const kubePrismPort = 7445

/** Documents of Kubernetes that every node has. */
export function nodeDocuments(old: OldShape, isControlPlane: boolean): ConfigDocument[] {
  return [
    ...ifAny('KubeClusterConfig', {
      clusterName: old.takeText('cluster.clusterName'),
      endpoint: old.takeText('cluster.controlPlane.endpoint'),
    }),
    nodeDocument(old, isControlPlane),
    kubeletDocument(old),
    ...ifAny('KubeCredentialProviderConfig', {
      configuration: old.takeObject('machine.kubelet.credentialProviderConfig'),
    }),
    ...ifAny('KubeNetworkConfig', {
      dnsDomain: old.takeText('cluster.network.dnsDomain'),
      podSubnets: old.takeList('cluster.network.podSubnets'),
      serviceSubnets: old.takeList('cluster.network.serviceSubnets'),
    }),
    ...authorityDocuments(old, isControlPlane),
    ...kubePrismDocuments(old),
  ]
}

/** What Talos added to a control plane by itself stands there now. */
function nodeDocument(old: OldShape, isControlPlane: boolean): ConfigDocument {
  const labels = old.takeObject('machine.nodeLabels')
  const taints = old.takeObject('machine.nodeTaints')
  const isSchedulable = [
    old.takeFlag('cluster.allowSchedulingOnControlPlanes'),
    old.takeFlag('cluster.allowSchedulingOnMasters'),
  ].includes(true)
  const isTainted = isControlPlane && !isSchedulable
  const validSubnets = old.takeList('machine.kubelet.nodeIP.validSubnets')
  return newDocument('KubeNodeConfig', {
    skipNodeRegistration: old.takeFlag('machine.kubelet.skipNodeRegistration'),
    registerWithFQDN: old.takeFlag('machine.kubelet.registerWithFQDN'),
    nodeIP: validSubnets === undefined ? undefined : { validSubnets },
    labels: isControlPlane ? { ...labels, [controlPlaneRole]: '' } : labels,
    annotations: old.takeObject('machine.nodeAnnotations'),
    taints: isTainted ? { ...taints, [controlPlaneRole]: 'NoSchedule' } : taints,
  })
}

function kubeletDocument(old: OldShape): ConfigDocument {
  // No manifests are read from a folder any more.
  old.drop('machine.kubelet.disableManifestsDirectory', true)
  return newDocument('KubeletConfig', {
    image: old.takeText('machine.kubelet.image'),
    config: old.takeObject('machine.kubelet.extraConfig') ?? {},
    extraArgs: old.takeObject('machine.kubelet.extraArgs'),
    clusterDNS: old.takeList('machine.kubelet.clusterDNS'),
    defaultRuntimeSeccompProfileEnabled: old.takeFlag(
      'machine.kubelet.defaultRuntimeSeccompProfileEnabled',
    ),
  })
}

/** A worker has no key, and accepts the authority alone. */
function authorityDocuments(old: OldShape, isControlPlane: boolean): ConfigDocument[] {
  const cert = takePem(old, 'cluster.ca.crt')
  const key = takePem(old, 'cluster.ca.key')
  const accepted = old.takeList('cluster.acceptedCAs')?.map((each) => pemOf(textAt(each, 'crt')))
  const issuing = isControlPlane && cert !== undefined && key !== undefined
  const acceptedCAs = [...(issuing || cert === undefined ? [] : [cert]), ...(accepted ?? [])]
  return ifAny('KubeAPIServerCAConfig', {
    issuingCA: issuing ? { cert, key } : undefined,
    acceptedCAs: acceptedCAs.length > 0 ? acceptedCAs : undefined,
  })
}

/** A field that the old shape has in base64; undefined where it is empty. */
export function takePem(old: OldShape, path: string): string | undefined {
  const text = old.takeText(path)
  return text ? pemOf(text) : undefined
}

function pemOf(text: string): string {
  return placeholderAs('pem', decodeText(text) ?? text)
}

function kubePrismDocuments(old: OldShape): ConfigDocument[] {
  const isEnabled = old.takeFlag('machine.features.kubePrism.enabled') ?? false
  const port: Json = old.take('machine.features.kubePrism.port') ?? kubePrismPort
  return isEnabled ? [newDocument('KubePrismConfig', { port })] : []
}
