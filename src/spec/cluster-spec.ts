import type { ControlPlaneComponent } from './component.ts'

export type Architecture = 'amd64' | 'arm64'

export interface Taint {
  readonly key: string
  readonly value?: string | undefined
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute'
}

/** A set of like nodes. The control plane is one too, under the name `control-plane`. */
export interface NodePool {
  readonly name: string
  readonly role: 'control-plane' | 'worker'
  readonly count: number
  readonly type: string
  readonly arch: Architecture
  /** At least one; slot `s` goes to the location at `(s - 1) % length`. */
  readonly locations: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
  /** Further ones that patches give to its nodes. */
  readonly patchedTaints?: readonly Taint[]
  /** YAML texts: strategic merge documents for the machine configs of this pool. */
  readonly patches: readonly string[]
  readonly publicIpv4: boolean
  readonly publicIpv6: boolean
  readonly autoscaling?: { readonly min: number; readonly max: number } | undefined
}

export interface FirewallRule {
  readonly description?: string | undefined
  readonly direction: 'in' | 'out'
  readonly protocol: 'tcp' | 'udp' | 'icmp' | 'esp' | 'gre'
  readonly port?: string | undefined
  readonly sources: readonly string[]
  readonly destinations: readonly string[]
}

/** Where the Kubernetes API is reached. */
export type Endpoint =
  | { readonly type: 'loadBalancer' }
  | { readonly type: 'dns'; readonly name: string }
  | { readonly type: 'floatingIp' }
  | { readonly type: 'vip'; readonly address: string }

/** An object with a condition that must be True. */
export interface ConditionGate extends UpgradeGate {
  readonly condition: string
}

/** An object that an upgrade waits for: available, or with a condition that is True. */
export interface UpgradeGate {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace?: string | undefined
  readonly name: string
  /** Type of the condition; absent for workloads, which must be rolled out and available. */
  readonly condition?: string | undefined
}

export interface AddonSpec {
  readonly enabled: boolean
  readonly values: Readonly<Record<string, unknown>>
}

/** What every addon of the user's own says. */
interface CustomAddonCommon {
  readonly name: string
  readonly namespace: string
  readonly podSecurity?: 'privileged' | 'baseline' | 'restricted' | undefined
  /** Names of other addons, of ours or of the user's. */
  readonly needs: readonly string[]
  /** Absent: where the cluster has a network addon of ours. */
  readonly wait?: boolean | undefined
  readonly timeoutMinutes: number
  /** Besides its workloads, CRDs and API services. */
  readonly conditions: readonly ConditionGate[]
}

export interface CustomChart extends CustomAddonCommon {
  readonly type: 'helm'
  /** `https://…` or `oci://…`, without a slash at its end. */
  readonly repository: string
  readonly chart: string
  readonly version: string
  /** Lower-case hex SHA-256 of the tgz; absent: that of the first time counts. */
  readonly sha256?: string | undefined
  readonly values: Readonly<Record<string, unknown>>
}

export interface CustomManifests extends CustomAddonCommon {
  readonly type: 'manifest'
  readonly urls: readonly { readonly url: string; readonly sha256: string }[]
  /** YAML texts. */
  readonly inline: readonly string[]
}

export type CustomAddon = CustomChart | CustomManifests

/** The cluster file, validated and with every default filled in. */
export interface ClusterSpec {
  readonly clusterName: string
  readonly hetzner: {
    readonly region: string
    readonly networkZone: string
    /** Names of SSH keys that exist in the project. */
    readonly sshKeys: readonly string[]
    /** How many servers the account may have at once; Hetzner does not report it. */
    readonly serverLimit?: number | undefined
    /** Name of an existing network to use instead of one of our own. */
    readonly network?: string | undefined
  }
  /** IPv4 ranges in CIDR notation, all of them inside `cidr` unless it says otherwise. */
  readonly network: {
    readonly cidr: string
    readonly nodeRange: string
    readonly podRange: string
    readonly serviceRange: string
    readonly loadBalancerRange: string
    /** The domain of Services and pods: `cluster.local`. */
    readonly dnsDomain: string
  }
  readonly firewall: {
    /** Ranges that may reach port 6443; empty means nobody. */
    readonly kubernetesApi: readonly string[]
    /** Ranges that may reach port 50000; empty means nobody. */
    readonly talosApi: readonly string[]
    /** Whether a run opens both ports for its own address while it lasts. */
    readonly runnerAccess: boolean
    readonly extraRules: readonly FirewallRule[]
  }
  readonly loadBalancer: {
    readonly type: string
    readonly location: string
    readonly privateOnly: boolean
  }
  readonly endpoint: Endpoint
  readonly controlPlane: NodePool
  readonly workers: readonly NodePool[]
  readonly talos: {
    /** With its v: `v1.9.0`. */
    readonly version: string
    /** Of which shape the configs are: `v1.13`. Left out, a cluster keeps the one that it has: see contractOfSpec. */
    readonly contract?: string | undefined
    /** Base URL of the image factory, without a path: `https://factory.talos.dev`. */
    readonly factory: string
    /** 64 hex digits; derived from extensions and kernelArgs unless given. */
    readonly schematic?: string | undefined
    readonly extensions: readonly string[]
    readonly kernelArgs: readonly string[]
    readonly patches: readonly string[]
    readonly controlPlanePatches: readonly string[]
    readonly workerPatches: readonly string[]
    readonly diskEncryption: boolean
    readonly registryMirrors: Readonly<Record<string, readonly string[]>>
    readonly nameservers: readonly string[]
    readonly timeServers: readonly string[]
  }
  readonly kubernetes: {
    /** Without v: `1.32.0`. */
    readonly version: string
    /**
     * Components that are at another version than `version`, on a node between two versions. Never from
     * the file: see specAsRunning.
     */
    readonly components?: Readonly<Partial<Record<ControlPlaneComponent, string>>> | undefined
    readonly apiServerExtraArgs: Readonly<Record<string, string>>
    readonly controllerManagerExtraArgs: Readonly<Record<string, string>>
    readonly schedulerExtraArgs: Readonly<Record<string, string>>
    readonly kubeletExtraArgs: Readonly<Record<string, string>>
    readonly certSans: readonly string[]
    readonly oidc?:
      | {
          readonly issuerUrl: string
          readonly clientId: string
          readonly usernameClaim?: string | undefined
          readonly groupsClaim?: string | undefined
        }
      | undefined
  }
  readonly cni: {
    readonly type: 'cilium' | 'none'
    readonly values: Readonly<Record<string, unknown>>
  }
  readonly addons: {
    readonly hcloudCcm: AddonSpec
    readonly csrApprover: AddonSpec
    readonly hcloudCsi: AddonSpec
    /** Charts and manifests of the user's own. */
    readonly custom: readonly CustomAddon[]
  }
  readonly state: {
    readonly branch: string
    /** age recipients (`age1…`) besides the identity of the run. */
    readonly recipients: readonly string[]
    /** Public keys (`hts1…`) that sign the state, by epoch: the first is that of epoch 1. Empty: not named. */
    readonly signers: readonly string[]
    /** What of a machine config is encrypted on the branch. */
    readonly encrypt: 'secrets' | 'all'
    /** Clusters of the same branch beside which this one may be started. */
    readonly alongside: readonly string[]
    /** owner/name of the repository that the state is bound to, where that is not its present name. */
    readonly repository?: string | undefined
  }
  readonly upgrade: {
    /** All of them must be open before each node goes. */
    readonly gates: readonly UpgradeGate[]
    /** How long an upgrade waits for a gate to open, in minutes. */
    readonly gateMinutes: number
    /** How many nodes may be stopped at the same time. */
    readonly maxUnavailable: number
  }
  /**
   * Which version each named secret has that the file refers to, as the state knows it. Never from the file: see
   * withSecretVersions.
   */
  readonly secretVersions?: Readonly<Record<string, number>> | undefined
  /** The contract of the machine configs that the cluster has, by the state. Never from the file: see withKeptContract. */
  readonly keptContract?: string | undefined
  readonly policy: {
    /** What versions are that came after the newest known ones. */
    readonly unknownVersions: 'refuse' | 'warn'
    readonly onDestroyVolumes: 'keep' | 'delete'
    readonly onDestroyNetwork: 'delete' | 'keep'
    readonly onDrift: 'restore' | 'keep'
    readonly onNodeConfigDrift: 'heal' | 'report'
    readonly onAddonDrift: 'heal' | 'report'
    readonly onFailedChange: 'revert' | 'stop'
    /** The highest risk that a workflow carries out of what no merged pull request showed. */
    readonly unapproved:
      | 'none'
      | 'additive'
      | 'live'
      | 'restart'
      | 'reboot'
      | 'drain'
      | 'replace'
      | 'quorum'
      | 'data-loss'
  }
}
