import type { Taint } from '../cluster-spec.ts'
import { patchText, resolveState, resolveUpgrade, type TextAt } from '../resolve-spec.ts'
import { apiServerPort } from './api-server-port.ts'
import type { HostInFile, HostsFile } from './hosts-file.ts'
import type {
  HostLogin,
  HostRole,
  HostSpec,
  HostsEndpoint,
  HostsSpec,
  JumpHost,
  KubeadmPatch,
  KubeadmSpec,
  SecretSource,
  SshKeySource,
  SudoWay,
} from './hosts-spec.ts'
import type { JumpInFile, KeyInFile, SecretSourceInFile } from './login-schema.ts'

/** The newest release of the line with long support, which runs every Kubernetes that kubeadm's configs are made for. */
const defaultContainerd = '2.3.7'

/** What the device plugin's chart selects by, and tolerates. */
const ofGpuWorkers = {
  labels: { 'nvidia.com/gpu.present': 'true' },
  taint: { key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' },
} as const satisfies { labels: Record<string, string>; taint: Taint }

/** The spec that a file of hosts means. Total: it answers for files that the checks refuse too. */
export function resolveHosts(file: HostsFile, textAt: TextAt): HostsSpec {
  return {
    clusterName: file.clusterName,
    hosts: file.hosts
      .map((host) => resolveHost(host, file))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    kubeadm: resolveKubeadm(file, textAt),
    network: file.network,
    kubernetes: file.kubernetes,
    cni: file.cni,
    addons: file.addons,
    state: resolveState(file.state),
    upgrade: resolveUpgrade(file.upgrade),
    policy: file.policy,
  }
}

function resolveHost(host: HostInFile, file: HostsFile): HostSpec {
  return {
    name: host.name,
    role: host.role,
    address: host.address,
    nodeIp: host.nodeIp ?? host.address,
    login: resolveLogin(host, file),
    labels: { ...(isGpuWorker(host.role) && ofGpuWorkers.labels), ...host.labels },
    taints: withRoleTaint(host),
    onRemove: host.onRemove ?? file.kubeadm.onRemove,
  }
}

function isGpuWorker(role: HostRole): boolean {
  return role === 'gpu-worker'
}

function withRoleTaint({ role, taints }: HostInFile): readonly Taint[] {
  const { taint } = ofGpuWorkers
  const hasOwn = taints.some(({ key }) => key === taint.key)
  return isGpuWorker(role) && !hasOwn ? [...taints, taint] : taints
}

function resolveLogin({ hostKey, ssh: own }: HostInFile, { ssh: all }: HostsFile): HostLogin {
  const user = own.user ?? all.user ?? 'root'
  const key = resolveKey(own.key ?? all.key)
  const jump = own.jump ?? all.jump
  return {
    user,
    port: own.port ?? all.port ?? 22,
    key,
    hostKey: resolveHostKey(hostKey ?? all.hostKey),
    sudo: resolveSudo(own.sudo ?? all.sudo, user),
    ...(jump !== undefined &&
      jump !== 'none' && { jump: resolveJump(jump, { user, key, hostKey: all.hostKey }) }),
  }
}

function resolveJump(
  jump: JumpInFile,
  behind: {
    readonly user: string
    readonly key: SshKeySource
    readonly hostKey: 'record' | undefined
  },
): JumpHost {
  return {
    address: jump.address,
    port: jump.port,
    user: jump.user ?? behind.user,
    key: jump.key === undefined ? behind.key : resolveKey(jump.key),
    hostKey: resolveHostKey(jump.hostKey ?? behind.hostKey),
  }
}

/** A file without any is refused: what it says then is never used. */
function resolveHostKey(hostKey: string | undefined): HostLogin['hostKey'] {
  return hostKey === undefined || hostKey === 'record'
    ? { type: 'record' }
    : { type: 'pinned', key: hostKey }
}

function resolveKey(key: KeyInFile | undefined): SshKeySource {
  const { file, environment, publicKey, passphrase } = key ?? {}
  const locked = passphrase === undefined ? {} : { passphrase: resolveSecret(passphrase) }
  if (file !== undefined) return { from: 'file', path: file, ...locked }
  if (environment !== undefined) return { from: 'environment', variable: environment, ...locked }
  return { from: 'agent', ...(publicKey !== undefined && { publicKey }) }
}

function resolveSecret({ secret, environment }: SecretSourceInFile): SecretSource {
  return environment === undefined
    ? { from: 'secret', name: secret ?? '' }
    : { from: 'environment', variable: environment }
}

function resolveSudo(sudo: HostsFile['ssh']['sudo'], user: string): SudoWay {
  if (sudo === undefined) return { type: user === 'root' ? 'none' : 'passwordless' }
  if (typeof sudo === 'string') return { type: sudo }
  return { type: 'password', password: resolveSecret(sudo.password) }
}

function resolveKubeadm({ kubeadm, hosts }: HostsFile, textAt: TextAt): KubeadmSpec {
  const { endpoint, runtime, patches, podsOnControlPlanes, ...rest } = kubeadm
  const isDistribution = runtime.source.type === 'distribution'
  const version = runtime.version ?? (isDistribution ? undefined : defaultContainerd)
  return {
    ...rest,
    endpoint: resolveEndpoint(endpoint),
    podsOnControlPlanes: podsOnControlPlanes ?? hosts.every(({ role }) => role === 'control-plane'),
    runtime: { ...(version !== undefined && { version }), source: runtime.source },
    patches: patches.map(
      ({ target, type, patch }, index): KubeadmPatch => ({
        target,
        type,
        text: patchText(patch, ['kubeadm', 'patches', index, 'patch'], textAt),
      }),
    ),
  }
}

function resolveEndpoint({
  virtualIp,
  host = '',
}: HostsFile['kubeadm']['endpoint']): HostsEndpoint {
  if (virtualIp !== undefined) return { type: 'virtualIp', ...virtualIp }
  const [, name = host, port] = /^(.*):(\d+)$/.exec(host) ?? []
  return { type: 'host', host: name, port: port === undefined ? apiServerPort : Number(port) }
}
