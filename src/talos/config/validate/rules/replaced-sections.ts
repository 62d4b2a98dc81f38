import { type ConfigDocument, documentIdentity } from '../../config-document.ts'
import { configLeaves } from '../../config-leaves.ts'
import { isReshaped } from '../../reshape/old-view.ts'
import { fieldInDocuments } from '../../reshape/setting-homes.ts'
import type { ConfigPlace } from '../config-problem.ts'
import type { ConfigView, Rule } from '../config-view.ts'
import { isSetAt, listAt, mappingAt, textAt } from '../read-config.ts'

/**
 * Documents since 1.14, and the fields of the v1alpha1 document that exclude them: Talos takes a setting in
 * one of the two shapes (`V1Alpha1ConflictValidate` of machinery's types).
 */
export const replacedSections: Readonly<Record<string, readonly string[]>> = {
  CRIBaseRuntimeSpecConfig: ['machine.baseRuntimeSpecOverrides'],
  DiscoveryIdentityConfig: ['cluster.id', 'cluster.secret'],
  DiscoveryServiceConfig: ['cluster.discovery'],
  ImageCacheConfig: ['machine.features.imageCache'],
  KubeAPIServerCAConfig: ['cluster.ca'],
  KubeAPIServerConfig: ['cluster.apiServer', 'cluster.controlPlane.localAPIServerPort'],
  KubeAdmissionControlConfig: ['cluster.apiServer.admissionControl'],
  KubeAggregatorCAConfig: ['cluster.aggregatorCA'],
  KubeAuditPolicyConfig: ['cluster.apiServer.auditPolicy'],
  // As machinery has it: an authorizer goes with no admission control of the old shape.
  KubeAuthorizerConfig: ['cluster.apiServer.admissionControl'],
  KubeClusterConfig: ['cluster.clusterName', 'cluster.controlPlane.endpoint'],
  KubeControllerManagerConfig: [
    'cluster.controllerManager',
    'machine.controlPlane.controllerManager',
  ],
  KubeCoreDNSConfig: ['cluster.coreDNS'],
  KubeCredentialProviderConfig: ['machine.kubelet'],
  KubeEtcdEncryptionConfig: ['cluster.secretboxEncryptionSecret', 'cluster.aescbcEncryptionSecret'],
  KubeFlannelCNIConfig: ['cluster.network'],
  KubeNetworkConfig: ['cluster.network'],
  KubeNodeConfig: [
    'cluster.allowSchedulingOnControlPlanes',
    'cluster.allowSchedulingOnMasters',
    'machine.kubelet.skipNodeRegistration',
    'machine.kubelet.registerWithFQDN',
    'machine.kubelet.nodeIP',
    'machine.nodeLabels',
    'machine.nodeAnnotations',
    'machine.nodeTaints',
  ],
  KubePrismConfig: ['machine.features.kubePrism'],
  KubeProxyConfig: ['cluster.proxy'],
  KubeSchedulerConfig: ['cluster.scheduler', 'machine.controlPlane.scheduler'],
  KubeServiceAccountConfig: ['cluster.serviceAccount'],
  KubeTalosAPIAccessConfig: ['machine.features.kubernetesTalosAPIAccess'],
  KubeletConfig: ['machine.kubelet'],
  UnattendedInstallConfig: ['machine.install'],
}

/** Sections that count as set only where there is something in them. */
const countedByContent = [
  'cluster.apiServer.admissionControl',
  'cluster.apiServer.auditPolicy',
  'cluster.id',
  'cluster.secret',
  'cluster.clusterName',
  'cluster.secretboxEncryptionSecret',
  'cluster.aescbcEncryptionSecret',
]

/** Each setting stands in its document or in the v1alpha1 one. */
export const sectionIsGivenOnce: Rule = (document, view) =>
  (replacedSections[kindOf(document)] ?? [])
    .map((section) => section.split('.'))
    .filter((path) => hasSection(view.legacy, path))
    .map((path) => {
      const also: ConfigPlace[] = [{ kind: '', name: '', path }]
      return {
        at: [],
        message: `and ${path.join('.')} exclude each other`,
        hint: isReshaped(view.documents)
          ? asDocuments(kindOf(document), path.join('.'), view)
          : `Set it in ${path.join('.')}, which this cluster's configs have.`,
        also,
      }
    })

/** How many fields a hint names. */
const fieldsNamed = 4

/** For a patch of the old shape that is merged into a config of documents: what to write instead. */
function asDocuments(kind: string, section: string, { legacy }: ConfigView): string {
  const places = [...configLeaves([legacy]).keys()].flatMap((field) => {
    const place = field.startsWith(section) ? fieldInDocuments(field) : field
    return place === field ? [] : [`${place} for ${field}`]
  })
  const shown = places.slice(0, fieldsNamed)
  return shown.length === 0
    ? `Write a ${kind} document, which this config has instead.`
    : `Write documents, which this config has instead: ${shown.join(', ')}.`
}

function hasSection(legacy: Parameters<Rule>[0], path: readonly string[]): boolean {
  if (!countedByContent.includes(path.join('.'))) return isSetAt(legacy, ...path)
  return (
    textAt(legacy, ...path) !== '' ||
    listAt(legacy, ...path).length > 0 ||
    Object.keys(mappingAt(legacy, ...path)).length > 0
  )
}

/** Workers have no control plane to configure. */
export const controlPlaneKinds: readonly string[] = [
  'KubeAPIServerConfig',
  'KubeAdmissionControlConfig',
  'KubeAggregatorCAConfig',
  'KubeAuditPolicyConfig',
  'KubeAuthenticationConfig',
  'KubeAuthorizerConfig',
  'KubeControllerManagerConfig',
  'KubeCoreDNSConfig',
  'KubeEtcdEncryptionConfig',
  'KubeFlannelCNIConfig',
  'KubeProxyConfig',
  'KubeSchedulerConfig',
  'KubeServiceAccountConfig',
  'KubeTalosAPIAccessConfig',
]

export const kindFitsRole: Rule = (document, { role }) =>
  role !== 'control-plane' && controlPlaneKinds.includes(kindOf(document))
    ? [{ at: [], message: 'is for control planes alone' }]
    : []

function kindOf(document: ConfigDocument): string {
  return documentIdentity(document).kind
}
