import type { Taint } from '../cluster-spec.ts'
import type { CommonSpec } from '../common-spec.ts'
import type { hostRoles, waysToRemove } from './host-schema.ts'
import type { kubernetesFileNames, runtimeFileNames } from './kubeadm-schema.ts'

/** The cluster file of hosts that exist, validated and with every default filled in. */
export interface HostsSpec
  extends Omit<
    CommonSpec,
    | 'hetzner'
    | 'talos'
    | 'firewall'
    | 'loadBalancer'
    | 'endpoint'
    | 'controlPlane'
    | 'workers'
    | 'hosts'
  > {
  /** By name: the order of the file says nothing. */
  readonly hosts: readonly HostSpec[]
  readonly kubeadm: KubeadmSpec
}

export type HostRole = (typeof hostRoles)[number]

/** What becomes of a host that leaves the cluster. */
type WayToRemove = (typeof waysToRemove)[number]

export interface HostSpec {
  /** Of the host and of its node. */
  readonly name: string
  readonly role: HostRole
  /** Where SSH reaches it. */
  readonly address: string
  /** Where the other nodes reach it; IPv4. */
  readonly nodeIp: string
  readonly login: HostLogin
  /** With those of its role. */
  readonly labels: Readonly<Record<string, string>>
  /** With those of its role, but for what kubeadm gives control planes. */
  readonly taints: readonly Taint[]
  readonly onRemove: WayToRemove
}

export interface HostLogin {
  readonly user: string
  readonly port: number
  readonly key: SshKeySource
  readonly hostKey: HostKeyRule
  readonly sudo: SudoWay
  readonly jump?: JumpHost | undefined
}

export interface JumpHost {
  readonly address: string
  readonly port: number
  readonly user: string
  readonly key: SshKeySource
  readonly hostKey: HostKeyRule
}

export type SshKeySource =
  | { readonly from: 'agent'; readonly publicKey?: string | undefined }
  | {
      readonly from: 'file'
      readonly path: string
      readonly passphrase?: SecretSource | undefined
    }
  | {
      readonly from: 'environment'
      readonly variable: string
      readonly passphrase?: SecretSource | undefined
    }

export type SecretSource =
  | { readonly from: 'secret'; readonly name: string }
  | { readonly from: 'environment'; readonly variable: string }

/** A pinned key as the file has it, or the first that the host shows. */
export type HostKeyRule =
  | { readonly type: 'pinned'; readonly key: string }
  | { readonly type: 'record' }

export type SudoWay =
  | { readonly type: 'none' }
  | { readonly type: 'passwordless' }
  | { readonly type: 'password'; readonly password: SecretSource }

/** Where the Kubernetes API is reached. */
export type HostsEndpoint =
  | {
      readonly type: 'virtualIp'
      readonly address: string
      /** With its v. */
      readonly kubeVip: string
      /** Absent: each host takes the one by which it reaches the address. */
      readonly interface?: string | undefined
    }
  | { readonly type: 'host'; readonly host: string; readonly port: number }

/** A patch in the words of kubeadm. */
export interface KubeadmPatch {
  readonly target: string
  readonly type: 'strategic' | 'merge' | 'json'
  /** YAML. */
  readonly text: string
}

/** Where packages come from; `File` are the names of what a host without repositories is given. */
export type PackageSource<File extends string> =
  | { readonly type: 'repository' }
  | { readonly type: 'mirror'; readonly url: string; readonly key?: string | undefined }
  | { readonly type: 'files'; readonly files: readonly PackageFile<File>[] }

export interface PackageFile<Name extends string> {
  readonly name: Name
  readonly arch: 'amd64' | 'arm64'
  /** An address, or a path beside the cluster file. */
  readonly from: string
  readonly sha256: string
}

export type RuntimeFile = (typeof runtimeFileNames)[number]
export type KubernetesFile = (typeof kubernetesFileNames)[number]

export interface KubeadmSpec {
  readonly endpoint: HostsEndpoint
  readonly podsOnControlPlanes: boolean
  readonly runtime: {
    /** Of containerd, without v; absent where the distribution decides. */
    readonly version?: string | undefined
    readonly source: { readonly type: 'distribution' } | PackageSource<RuntimeFile>
  }
  readonly packages: PackageSource<KubernetesFile>
  readonly registryMirrors: Readonly<Record<string, readonly string[]>>
  readonly patches: readonly KubeadmPatch[]
  /** What becomes of a host that the file does not name any more. */
  readonly onRemove: WayToRemove
  readonly timeoutMinutes: Readonly<
    Record<'connect' | 'prepare' | 'init' | 'join' | 'drain' | 'upgrade' | 'reset', number>
  >
}
