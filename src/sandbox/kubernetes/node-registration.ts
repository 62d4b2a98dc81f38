/** How a kubelet presents its node. */
export interface NodeRegistration {
  readonly name: string
  readonly internalIp: string
  readonly externalIp?: string
  /** Gives the role's label. The role's taint, where it is wanted, is one of `taints`. */
  readonly roleControlPlane: boolean
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly taints: readonly {
    readonly key: string
    readonly value?: string
    readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute'
  }[]
  readonly osImage: string
  readonly kubeletVersion: string
  readonly bootId: string
  readonly serverId: number
  /** Of its operating system; made of the server's id where absent. */
  readonly machineId?: string
  /** `containerd://2.0.1` */
  readonly runtime?: string
  /** `none`: it waits for no controller of a cloud. */
  readonly cloudProvider?: 'external' | 'none'
  /** Its pods have a network without any addon. */
  readonly hasNetwork?: boolean
  /** `amd64` where absent. */
  readonly arch?: 'amd64' | 'arm64'
  /** The static pods of a control plane; those of the cluster's version where absent. */
  readonly staticPods?: readonly {
    readonly component: string
    readonly image: string
    /** Whether it runs and answers; true where absent. */
    readonly ready?: boolean
    /** Of its container; another one is another instance. Made of the pod's own where absent. */
    readonly id?: string
    /** Of its file, as the kubelet has it; a file that is gone takes the pod with it. */
    readonly hash?: string
  }[]
}
