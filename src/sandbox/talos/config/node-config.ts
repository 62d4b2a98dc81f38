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
export function readNodeConfig(
  text: string,
  { settings = {}, others }: ConfigDocuments,
): NodeConfig {
  const controlPlane = textAt(settings, 'machine.type') !== 'worker'
  const kubeletTag = imageTag(textAt(settings, 'machine.kubelet.image'))
  const kubeletVersion = kubeletTag.replace(/-(fat|slim)$/, '')
  const settingsOf = (component: ComponentName) =>
    componentSettings(settings, component, kubeletVersion)
  const apiServerImage = textAt(settings, 'cluster.apiServer.image')
  return {
    text,
    controlPlane,
    machineCa: readAuthority(settings, 'machine.ca'),
    acceptedCas: listAt(settings, 'machine.acceptedCAs').map((ca) => decodePem(textAt(ca, 'crt'))),
    token: textAt(settings, 'machine.token'),
    certSans: textsAt(settings, 'machine.certSANs'),
    clusterId: textAt(settings, 'cluster.id'),
    clusterName: textAt(settings, 'cluster.clusterName'),
    endpoint: textAt(settings, 'cluster.controlPlane.endpoint'),
    kubernetesCa: readAuthority(settings, 'cluster.ca'),
    kubernetesSans: textsAt(settings, 'cluster.apiServer.certSANs'),
    kubeletVersion,
    apiServerVersion: apiServerImage === '' ? kubeletVersion : imageTag(apiServerImage),
    components: {
      'kube-apiserver': settingsOf('kube-apiserver'),
      'kube-controller-manager': settingsOf('kube-controller-manager'),
      'kube-scheduler': settingsOf('kube-scheduler'),
      kubelet: settingsOf('kubelet'),
      etcd: settingsOf('etcd'),
    },
    staticPods: readStaticPods(settings, controlPlane, kubeletVersion),
    proxyImage: readProxyImage(settings, kubeletVersion),
    podSubnet: textsAt(settings, 'cluster.network.podSubnets')[0] ?? '10.244.0.0/16',
    serviceSubnet: textsAt(settings, 'cluster.network.serviceSubnets')[0] ?? '10.96.0.0/12',
    labels: readLabels(settings, controlPlane),
    annotations: mapAt(settings, 'machine.nodeAnnotations'),
    taints: readTaints(settings, controlPlane),
    nodeIpSubnets: textsAt(settings, 'machine.kubelet.nodeIP.validSubnets'),
    etcdSubnets: textsAt(settings, 'cluster.etcd.advertisedSubnets'),
    hostname: readHostname(settings, others),
    cniName: textAt(settings, 'cluster.network.cni.name') || 'flannel',
    inlineManifests: listAt(settings, 'cluster.inlineManifests').map((manifest) => ({
      name: textAt(manifest, 'name'),
      contents: textAt(manifest, 'contents'),
    })),
    adminCertLifetimeMs: readDuration(textAt(settings, 'cluster.adminKubeconfig.certLifetime')),
  }
}

const staticPodFields = [
  ['kube-apiserver', 'apiServer'],
  ['kube-controller-manager', 'controllerManager'],
  ['kube-scheduler', 'scheduler'],
] as const

function readStaticPods(
  settings: unknown,
  controlPlane: boolean,
  version: string,
): { component: StaticComponent; image: string }[] {
  if (!controlPlane) return []
  return staticPodFields.map(([component, field]) => ({
    component,
    image: textAt(settings, `cluster.${field}.image`) || `registry.k8s.io/${component}:${version}`,
  }))
}

function readProxyImage(settings: unknown, version: string): string | undefined {
  if (valueAt(settings, 'cluster.proxy.disabled') === true) return undefined
  return textAt(settings, 'cluster.proxy.image') || `registry.k8s.io/kube-proxy:${version}`
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
  settings: unknown,
  others: readonly Record<string, unknown>[],
): string | undefined {
  const document = others.find(({ kind }) => kind === 'HostnameConfig')
  return textAt(document, 'hostname') || textAt(settings, 'machine.network.hostname') || undefined
}

/** What a KubeNodeConfig says is used as it stands. */
function readLabels(settings: unknown, controlPlane: boolean): Record<string, string> {
  const isOld = valueAt(settings, 'cluster.kubeNode') === undefined
  return {
    ...mapAt(settings, 'machine.nodeLabels'),
    ...(controlPlane && isOld ? { 'node-role.kubernetes.io/control-plane': '' } : {}),
  }
}

/** A worker's kubelet may not change its node's taints: there only those count that it registers with. */
function readTaints(settings: unknown, controlPlane: boolean): Taint[] {
  const taints = Object.entries(mapAt(settings, 'machine.nodeTaints')).map(([key, text]) =>
    readTaint(key, text),
  )
  const isOld = valueAt(settings, 'cluster.kubeNode') === undefined
  if (!controlPlane) {
    const own = listAt(settings, 'machine.kubelet.extraConfig.registerWithTaints').map((taint) => {
      const value = textAt(taint, 'value')
      return {
        key: textAt(taint, 'key'),
        ...(value === '' ? {} : { value }),
        effect: knownEffect(textAt(taint, 'effect')),
      }
    })
    // With documents a kubelet registers with those of its node too.
    return isOld ? own : [...own, ...taints]
  }
  if (!isOld) return taints
  const schedulable = ['allowSchedulingOnControlPlanes', 'allowSchedulingOnMasters'].some(
    (field) => valueAt(settings, `cluster.${field}`) === true,
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
