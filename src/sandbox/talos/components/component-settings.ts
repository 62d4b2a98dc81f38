import type { Json } from '../../../lib/json.ts'
import { stableJson } from '../../stable-json.ts'
import { isRecord, listAt, textAt, textsAt, valueAt } from '../config/config-value.ts'

export const staticComponents = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
] as const
export type StaticComponent = (typeof staticComponents)[number]
export type ComponentName = StaticComponent | 'kubelet' | 'etcd'

/** What a node runs a component with. */
export interface ComponentSettings {
  /** Everything that its pod or its service is rendered from: another text is another instance. */
  readonly rendering: string
  /** Of its image: `v1.36.3`. */
  readonly version: string
  readonly args: Readonly<Record<string, readonly string[]>>
  /** Of PodSecurity's admission configuration. */
  readonly exemptNamespaces: readonly string[]
  readonly podSubnets: readonly string[]
  /** Of a kubelet: what its configuration has besides. */
  readonly extraConfig: unknown
}

const sections = {
  'kube-apiserver': 'cluster.apiServer',
  'kube-controller-manager': 'cluster.controllerManager',
  'kube-scheduler': 'cluster.scheduler',
  kubelet: 'machine.kubelet',
  etcd: 'cluster.etcd',
} as const

/** What all static pods share: their certificates, tokens and ranges (facts: Talos's controllers). */
const sharedByPods = [
  'cluster.acceptedCAs',
  'cluster.aggregatorCA',
  'cluster.apiServer.certSANs',
  'cluster.ca',
  'cluster.clusterName',
  'cluster.controlPlane',
  'cluster.externalCloudProvider',
  'cluster.network.dnsDomain',
  'cluster.network.podSubnets',
  'cluster.network.serviceSubnets',
  'cluster.secretboxEncryptionSecret',
  'cluster.aescbcEncryptionSecret',
  'cluster.serviceAccount',
  'cluster.token',
  'machine.features.kubePrism',
]

const sharedByKubelet = [
  'cluster.acceptedCAs',
  'cluster.allowSchedulingOnControlPlanes',
  'cluster.ca.crt',
  'cluster.controlPlane',
  'cluster.externalCloudProvider',
  'cluster.kubeNode.taints',
  'cluster.network.dnsDomain',
  'cluster.network.serviceSubnets',
  'cluster.token',
  'machine.features.kubePrism',
]

export function componentSettings(
  settings: unknown,
  component: ComponentName,
  kubernetes: string,
): ComponentSettings {
  const section = sections[component]
  const shared =
    component === 'kubelet' ? sharedByKubelet : component === 'etcd' ? [] : sharedByPods
  const image = textAt(settings, `${section}.image`)
  const version = /:([^:/@]+)(?:@.*)?$/.exec(image)?.[1] ?? kubernetes
  return {
    rendering: stableJson(
      toJson([
        version,
        valueAt(settings, section),
        ...shared
          .filter((path) => !isUnread(component, path))
          .map((path) => valueAt(settings, path)),
      ]),
    ),
    version,
    args: readArgs(valueAt(settings, `${section}.extraArgs`)),
    exemptNamespaces: listAt(settings, 'cluster.apiServer.admissionControl')
      .filter((plugin) => textAt(plugin, 'name') === 'PodSecurity')
      .flatMap((plugin) => textsAt(plugin, 'configuration.exemptions.namespaces')),
    podSubnets: textsAt(settings, 'cluster.network.podSubnets'),
    extraConfig: valueAt(settings, `${section}.extraConfig`),
  }
}

/** A scheduler has nothing to do with clouds (seen on real nodes). */
function isUnread(component: ComponentName, path: string): boolean {
  return component === 'kube-scheduler' && path === 'cluster.externalCloudProvider'
}

function readArgs(value: unknown): Record<string, string[]> {
  if (!isRecord(value)) return {}
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      (Array.isArray(each) ? each : [each]).map(String),
    ]),
  )
}

function toJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value, (_key, each: unknown) => each ?? null))
}
