import type { Taint } from '../spec/cluster-spec.ts'

/**
 * What a mode makes of nodes and of the network between them, as far as addons go by it: pure data that each mode gives,
 * so that an addon knows no mode.
 */
export interface AddonSurroundings {
  /** Where pods on the network of their node reach the Kubernetes API, whether or not there is a pod network. */
  readonly apiServer: { readonly host: string; readonly port: number }
  readonly controlPlanes: number
  /** Besides those of Kubernetes itself that pods of addons tolerate anyway. */
  readonly taints: {
    readonly controlPlanes: readonly Taint[]
    readonly allNodes: readonly Taint[]
  }
  /** What a kubelet may ask a serving certificate for. */
  readonly servingCertificates: {
    /** A regular expression that every name of a node matches. */
    readonly nodeNames: string
    /** In CIDR notation: every address of a node lies in one of them. */
    readonly addressRanges: readonly string[]
  }
  readonly podNetwork: PodNetwork
  readonly operatingSystem: {
    /** Where cgroups are mounted, where pods may not mount them themselves. */
    readonly cgroupRoot?: string
    /** Whether a container may have the capability to load modules into the kernel. */
    readonly allowsModules: boolean
  }
  /** Whether the drivers of all network cards are known to run programs of Cilium (XDP). */
  readonly acceleratesServices: boolean
  /** Where load balancers of Hetzner Cloud stand; absent where there are none. */
  readonly loadBalancers?: { readonly location: string; readonly privateRange: string }
}

/** How packets of pods come from node to node. */
export type PodNetwork =
  | {
      /** As they are: what is between the nodes knows the addresses of pods. */
      readonly type: 'native'
      /** Addresses that keep their source, in CIDR notation. */
      readonly range: string
      readonly mtu: number
    }
  /** In packets from node to node: what is between them knows no pod. */
  | { readonly type: 'tunnel' }
