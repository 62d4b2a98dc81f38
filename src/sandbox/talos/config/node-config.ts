import {
  type ComponentName,
  type ComponentSettings,
  componentSettings,
  type StaticComponent,
} from '../components/component-settings.ts'
import { listAt, mapAt, textAt, textsAt, valueAt } from './config-value.ts'
import type { ConfigDocuments } from './parse-config.ts'

export interface Taint {
  readonly key: string
  readonly value?: string
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute'
}

/** A certificate and, where the config carries it, its key: PEM texts. */
interface Authority {
  readonly crt: string
  readonly key: string | undefined
}

/** What a node takes from its machine config. */
export interface NodeConfig {
  /** The text as it was applied. */
  readonly text: string
  readonly controlPlane: boolean
  readonly machineCa: Authority
  readonly acceptedCas: readonly string[]
  readonly token: string
  readonly certSans: readonly string[]
  readonly clusterId: string
  readonly clusterName: string
  /** `https://10.0.127.253:6443`. */
  readonly endpoint: string
  readonly kubernetesCa: Authority
  readonly kubernetesSans: readonly string[]
  /** Tag of the kubelet's image, e.g. `v1.32.0`, without the flavour that it may end with. */
  readonly kubeletVersion: string
  readonly apiServerVersion: string
  /** What each component runs with. */
  readonly components: Readonly<Record<ComponentName, ComponentSettings>>
  /** Images of a control plane's static pods, by component. */
  readonly staticPods: readonly { readonly component: StaticComponent; readonly image: string }[]
  /** Undefined where kube-proxy is off. */
  readonly proxyImage: string | undefined
  readonly podSubnet: string
  readonly serviceSubnet: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
  /** Ranges in which the kubelet picks its address; empty for any. */
  readonly nodeIpSubnets: readonly string[]
  readonly etcdSubnets: readonly string[]
  /** Undefined where the platform's own name holds. */
  readonly hostname: string | undefined
  readonly cniName: string
  readonly inlineManifests: readonly { readonly name: string; readonly contents: string }[]
  /** How long the admin certificate of a kubeconfig lives, in milliseconds. */
  readonly adminCertLifetimeMs: number
}

const yearMs = 8_760 * 3_600_000

/** The fields that a valid config has, with the defaults that nodes fill in. */
export function readNodeConfig(text: string, { v1alpha1, others }: ConfigDocuments): NodeConfig {
  const controlPlane = textAt(v1alpha1, 'machine.type') !== 'worker'
  const kubeletTag = imageTag(textAt(v1alpha1, 'machine.kubelet.image'))
  const kubeletVersion = kubeletTag.replace(/-(fat|slim)$/, '')
  const settingsOf = (component: ComponentName) =>
    componentSettings(v1alpha1, component, kubeletVersion)
  const apiServerImage = textAt(v1alpha1, 'cluster.apiServer.image')
  return {
    text,
    controlPlane,
    machineCa: readAuthority(v1alpha1, 'machine.ca'),
    acceptedCas: listAt(v1alpha1, 'machine.acceptedCAs').map((ca) => decodePem(textAt(ca, 'crt'))),
    token: textAt(v1alpha1, 'machine.token'),
    certSans: textsAt(v1alpha1, 'machine.certSANs'),
    clusterId: textAt(v1alpha1, 'cluster.id'),
    clusterName: textAt(v1alpha1, 'cluster.clusterName'),
    endpoint: textAt(v1alpha1, 'cluster.controlPlane.endpoint'),
    kubernetesCa: readAuthority(v1alpha1, 'cluster.ca'),
    kubernetesSans: textsAt(v1alpha1, 'cluster.apiServer.certSANs'),
    kubeletVersion,
    apiServerVersion: apiServerImage === '' ? kubeletVersion : imageTag(apiServerImage),
    components: {
      'kube-apiserver': settingsOf('kube-apiserver'),
      'kube-controller-manager': settingsOf('kube-controller-manager'),
      'kube-scheduler': settingsOf('kube-scheduler'),
      kubelet: settingsOf('kubelet'),
      etcd: settingsOf('etcd'),
    },
    staticPods: readStaticPods(v1alpha1, controlPlane, kubeletVersion),
    proxyImage: readProxyImage(v1alpha1, kubeletVersion),
    podSubnet: textsAt(v1alpha1, 'cluster.network.podSubnets')[0] ?? '10.244.0.0/16',
    serviceSubnet: textsAt(v1alpha1, 'cluster.network.serviceSubnets')[0] ?? '10.96.0.0/12',
    labels: {
      ...mapAt(v1alpha1, 'machine.nodeLabels'),
      ...(controlPlane ? { 'node-role.kubernetes.io/control-plane': '' } : {}),
    },
    annotations: mapAt(v1alpha1, 'machine.nodeAnnotations'),
    taints: readTaints(v1alpha1, controlPlane),
    nodeIpSubnets: textsAt(v1alpha1, 'machine.kubelet.nodeIP.validSubnets'),
    etcdSubnets: textsAt(v1alpha1, 'cluster.etcd.advertisedSubnets'),
    hostname: readHostname(v1alpha1, others),
    cniName: textAt(v1alpha1, 'cluster.network.cni.name') || 'flannel',
    inlineManifests: listAt(v1alpha1, 'cluster.inlineManifests').map((manifest) => ({
      name: textAt(manifest, 'name'),
      contents: textAt(manifest, 'contents'),
    })),
    adminCertLifetimeMs: readDuration(textAt(v1alpha1, 'cluster.adminKubeconfig.certLifetime')),
  }
}

const staticPodFields = [
  ['kube-apiserver', 'apiServer'],
  ['kube-controller-manager', 'controllerManager'],
  ['kube-scheduler', 'scheduler'],
] as const

function readStaticPods(
  v1alpha1: unknown,
  controlPlane: boolean,
  version: string,
): { component: StaticComponent; image: string }[] {
  if (!controlPlane) return []
  return staticPodFields.map(([component, field]) => ({
    component,
    image: textAt(v1alpha1, `cluster.${field}.image`) || `registry.k8s.io/${component}:${version}`,
  }))
}

function readProxyImage(v1alpha1: unknown, version: string): string | undefined {
  if (valueAt(v1alpha1, 'cluster.proxy.disabled') === true) return undefined
  return textAt(v1alpha1, 'cluster.proxy.image') || `registry.k8s.io/kube-proxy:${version}`
}

/** The tag of an image reference, without its digest; empty where there is none. */
export function imageTag(reference: string): string {
  return /:([^:/@]+)(?:@.*)?$/.exec(reference)?.[1] ?? ''
}

/** PEM from its base64, as configs carry it. */
export function decodePem(base64: string): string {
  return Buffer.from(base64, 'base64').toString()
}

function readAuthority(root: unknown, path: string): Authority {
  const key = textAt(root, `${path}.key`)
  return {
    crt: decodePem(textAt(root, `${path}.crt`)),
    key: key === '' ? undefined : decodePem(key),
  }
}

function readHostname(
  v1alpha1: unknown,
  others: readonly Record<string, unknown>[],
): string | undefined {
  const document = others.find(({ kind }) => kind === 'HostnameConfig')
  return textAt(document, 'hostname') || textAt(v1alpha1, 'machine.network.hostname') || undefined
}

/** A worker's kubelet may not change its node's taints: there only those count that it registers with. */
function readTaints(v1alpha1: unknown, controlPlane: boolean): Taint[] {
  if (!controlPlane) {
    return listAt(v1alpha1, 'machine.kubelet.extraConfig.registerWithTaints').map((taint) => {
      const value = textAt(taint, 'value')
      return {
        key: textAt(taint, 'key'),
        ...(value === '' ? {} : { value }),
        effect: knownEffect(textAt(taint, 'effect')),
      }
    })
  }
  const taints = Object.entries(mapAt(v1alpha1, 'machine.nodeTaints')).map(([key, text]) =>
    readTaint(key, text),
  )
  const schedulable = ['allowSchedulingOnControlPlanes', 'allowSchedulingOnMasters'].some(
    (field) => valueAt(v1alpha1, `cluster.${field}`) === true,
  )
  return !schedulable
    ? [...taints, { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }]
    : taints
}

/** A taint's value in the config is `value:Effect`, or the effect alone. */
function readTaint(key: string, text: string): Taint {
  const [value, effect] = text.includes(':') ? text.split(':') : ['', text]
  const known = knownEffect(effect)
  return { key, ...(value === undefined || value === '' ? {} : { value }), effect: known }
}

function knownEffect(effect: string | undefined): Taint['effect'] {
  return effect === 'NoExecute' || effect === 'PreferNoSchedule' ? effect : 'NoSchedule'
}

function readDuration(text: string): number {
  const hours = /^(\d+)h/.exec(text)?.[1]
  return hours === undefined ? yearMs : Number(hours) * 3_600_000
}
