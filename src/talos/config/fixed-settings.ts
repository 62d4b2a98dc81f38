import { canonicalJson } from '../../lib/canonical-json.ts'
import type { Json } from '../../lib/json.ts'
import { type ConfigDocument, documentIdentity } from './config-document.ts'
import { isReshaped } from './reshape/old-view.ts'
import type { ConfigPlace } from './validate/config-problem.ts'
import { asText, isList, valueAt } from './validate/read-config.ts'

/**
 * What is one for the whole cluster and stands in the machine config of every node: none of it can be another on one
 * node than on the others.
 */
export const clusterSettings = [
  'podRange',
  'serviceRange',
  'dnsDomain',
  'clusterName',
  'endpoint',
  'talosNetwork',
  'hostname',
] as const
export type ClusterSetting = (typeof clusterSettings)[number]

/** A setting as a machine config has it. */
export interface SettingInConfig {
  readonly place: ConfigPlace
  /** As texts: one, or one for each range of a list. */
  readonly values: readonly string[]
}

/** Where each may stand: in the v1alpha1 document (of no kind), or in one of its own. */
const homes: Readonly<Record<ClusterSetting, readonly (readonly [string, string])[]>> = {
  podRange: [
    ['', 'cluster.network.podSubnets'],
    ['KubeNetworkConfig', 'podSubnets'],
  ],
  serviceRange: [
    ['', 'cluster.network.serviceSubnets'],
    ['KubeNetworkConfig', 'serviceSubnets'],
  ],
  dnsDomain: [
    ['', 'cluster.network.dnsDomain'],
    ['KubeNetworkConfig', 'dnsDomain'],
  ],
  clusterName: [
    ['', 'cluster.clusterName'],
    ['KubeClusterConfig', 'clusterName'],
  ],
  endpoint: [
    ['', 'cluster.controlPlane.endpoint'],
    ['KubeClusterConfig', 'endpoint'],
  ],
  talosNetwork: [['', 'cluster.network.cni.name']],
  hostname: [
    ['', 'machine.network.hostname'],
    ['HostnameConfig', 'hostname'],
  ],
}

/** Every place of a config that sets one of these. */
export function settingsIn(
  documents: readonly ConfigDocument[],
): ReadonlyMap<ClusterSetting, readonly SettingInConfig[]> {
  return new Map(
    clusterSettings.map((setting) => [
      setting,
      setting === 'talosNetwork' && isReshaped(documents)
        ? networkIn(documents)
        : homes[setting].flatMap(([kind, path]) => settingAt(documents, kind, path.split('.'))),
    ]),
  )
}

/** A network of Talos's own is a document of control planes; where there is none, Talos brings none. */
function networkIn(documents: readonly ConfigDocument[]): SettingInConfig[] {
  const kinds = documents.map((document) => documentIdentity(document).kind)
  if (!kinds.includes('KubeAPIServerConfig')) return []
  const kind = 'KubeFlannelCNIConfig'
  const values = [kinds.includes(kind) ? 'flannel' : 'none']
  return [{ place: { kind, name: '', path: [] }, values }]
}

function settingAt(
  documents: readonly ConfigDocument[],
  kind: string,
  path: readonly string[],
): SettingInConfig[] {
  return documents.flatMap((document) => {
    const identity = documentIdentity(document)
    const value = valueAt(document, ...path)
    if (identity.kind !== kind || value === undefined || value === null) return []
    return [{ place: { kind, name: identity.name, path }, values: textsOf(value) }]
  })
}

function textsOf(value: Json): string[] {
  const all = isList(value) ? value : [value]
  return all.map((each) => asText(each) ?? canonicalJson(each))
}
