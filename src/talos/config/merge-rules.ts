/**
 * What the merge must know of Talos's types, which decide how two values of one path are merged
 * (machinery 1.13; facts also of 1.14's documents). Everything that is not named here merges by
 * shape: maps by key, lists by appending, scalars by the right one.
 *
 * Paths are of one document kind (`''` is the v1alpha1 document without a kind); `[]` stands for the
 * elements of a list, `*` for any one key.
 */
export type Path = readonly string[]

/** Lists and maps that the right one replaces whole. */
const replaced: Readonly<Record<string, readonly string[]>> = {
  '': [
    'cluster.network.podSubnets',
    'cluster.network.serviceSubnets',
    'cluster.apiServer.auditPolicy',
    'cluster.*.extraArgs.*',
    'machine.kubelet.extraArgs.*',
  ],
  NetworkRuleConfig: ['ingress', 'portSelector.ports'],
  KubeNetworkConfig: ['podSubnets', 'serviceSubnets'],
  KubeAuditPolicyConfig: ['configuration'],
  KubeAuthenticationConfig: ['configuration'],
  KubeCredentialProviderConfig: ['configuration'],
  KubeStaticPodConfig: ['pod'],
  CRIBaseRuntimeSpecConfig: ['overrides'],
  KubeAPIServerConfig: ['extraArgs.*'],
  KubeControllerManagerConfig: ['extraArgs.*'],
  KubeProxyConfig: ['extraArgs.*'],
  KubeSchedulerConfig: ['extraArgs.*'],
  KubeletConfig: ['extraArgs.*'],
}

/** Lists whose elements are known by the value of a field, the first of these that is there. */
export interface KeyedList {
  readonly keys: readonly string[]
  /** Whether an element of the same key is replaced instead of merged. */
  readonly replace?: boolean
}
const keyed: Readonly<Record<string, Readonly<Record<string, KeyedList>>>> = {
  '': {
    'machine.network.interfaces': { keys: ['interface', 'deviceSelector'] },
    'machine.network.interfaces.[].vlans': { keys: ['vlanId'] },
    'cluster.apiServer.admissionControl': { keys: ['name'] },
  },
  ExtensionServiceConfig: { configFiles: { keys: ['mountPath'] } },
  ImageVerificationConfig: { rules: { keys: ['image'], replace: true } },
}

const podResources = ['resources.requests', 'resources.limits']

/** Values that hold whatever they like: below them, both sides must be of one type. */
const freeForm: Readonly<Record<string, readonly string[]>> = {
  '': [
    'machine.pods.[]',
    'machine.baseRuntimeSpecOverrides',
    'machine.seccompProfiles.[].value',
    'machine.kubelet.extraConfig',
    'machine.kubelet.credentialProviderConfig',
    'cluster.apiServer.auditPolicy',
    'cluster.apiServer.admissionControl.[].configuration',
    'cluster.apiServer.authorizationConfig.[].webhook',
    'cluster.scheduler.config',
    'cluster.*.resources.requests',
    'cluster.*.resources.limits',
  ],
  CRIBaseRuntimeSpecConfig: ['overrides'],
  KubeAPIServerConfig: [...podResources],
  KubeAdmissionControlConfig: ['configuration'],
  KubeAuditPolicyConfig: ['configuration'],
  KubeAuthenticationConfig: ['configuration'],
  KubeAuthorizerConfig: ['webhook'],
  KubeControllerManagerConfig: [...podResources],
  KubeCredentialProviderConfig: ['configuration'],
  KubeEtcdEncryptionConfig: ['config'],
  KubeFlannelCNIConfig: ['backendExtraConfig', ...podResources],
  KubeProxyConfig: ['config', ...podResources],
  KubeSchedulerConfig: ['config', ...podResources],
  KubeStaticPodConfig: ['pod'],
  KubeletConfig: ['config'],
}

/** Maps of free keys: to delete a key that is not there is an error, unlike with a known field. */
const maps: Readonly<Record<string, readonly string[]>> = {
  '': [
    'machine.sysctls',
    'machine.sysfs',
    'machine.nodeLabels',
    'machine.nodeAnnotations',
    'machine.nodeTaints',
    'machine.env',
    'machine.registries.mirrors',
    'machine.registries.config',
    'machine.kubelet.extraArgs',
    'cluster.extraManifestHeaders',
    'cluster.*.extraArgs',
    'cluster.*.env',
  ],
  EthernetConfig: ['features'],
  KubeAPIServerConfig: ['extraArgs', 'env'],
  KubeControllerManagerConfig: ['extraArgs', 'env'],
  KubeExternalManifestConfig: ['headers'],
  KubeNodeConfig: ['labels', 'annotations', 'taints'],
  KubeProxyConfig: ['extraArgs'],
  KubeSchedulerConfig: ['extraArgs', 'env'],
  KubeletConfig: ['extraArgs'],
  SysctlConfig: ['params'],
  SysfsConfig: ['params'],
}

/** Numbers that a zero on the right does override, since nothing and zero differ there. */
const zeroes: Readonly<Record<string, readonly string[]>> = {
  '': ['machine.network.kubespan.mtu'],
  KubeSpanConfig: ['mtu'],
  LinkConfig: ['addresses.[].routePriority'],
  EthernetConfig: ['rings.*', 'channels.*'],
  BondConfig: ['*'],
  KubeAPIServerConfig: ['apiPort'],
  ZswapConfig: ['maxPoolPercent'],
}

export function isReplaced(kind: string, path: Path): boolean {
  return someMatch(ofKind(replaced, kind), path)
}

export function keyedList(kind: string, path: Path): KeyedList | undefined {
  return ofKind(keyed, kind)?.[path.join('.')]
}

/** Whether the path is at, or below, a value that holds whatever it likes. */
export function isFreeForm(kind: string, path: Path): boolean {
  return (ofKind(freeForm, kind) ?? []).some((pattern) => matches(pattern.split('.'), path, true))
}

export function isFreeMap(kind: string, path: Path): boolean {
  return isFreeForm(kind, path) || someMatch(ofKind(maps, kind), path)
}

export function zeroOverrides(kind: string, path: Path): boolean {
  return someMatch(ofKind(zeroes, kind), path)
}

/** Kinds are what users write: `constructor` is none. */
function ofKind<T>(table: Readonly<Record<string, T>>, kind: string): T | undefined {
  return Object.hasOwn(table, kind) ? table[kind] : undefined
}

function someMatch(patterns: readonly string[] | undefined, path: Path): boolean {
  return (patterns ?? []).some((pattern) => matches(pattern.split('.'), path, false))
}

function matches(pattern: Path, path: Path, below: boolean): boolean {
  if (below ? path.length < pattern.length : path.length !== pattern.length) return false
  return pattern.every((part, index) => part === '*' || part === path[index])
}
