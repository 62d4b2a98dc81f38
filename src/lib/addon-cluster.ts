import type { ObjectRef } from './kubernetes-object.ts'
import type { ObjectSet, SetDrift, SetResult } from './object-set.ts'

/** What every node must have before anything that needs working nodes is installed. */
export interface GateRequirements {
  readonly nodes: readonly string[]
  /** Ready: needs a pod network. */
  readonly ready: boolean
  /** Known to the cloud: a provider id, and the taint of the uninitialized gone. */
  readonly initialized: boolean
  /** No request for a serving certificate waits for an answer. */
  readonly certificates: boolean
}

export interface AddonWait {
  readonly withinMs: number
  /** Called whenever the reason for waiting changes. */
  readonly onPending?: (reason: string) => void
}

/**
 * What installing addons takes of a cluster, and nothing else: the seam between the domain that knows
 * addons and the one that talks to Kubernetes. Waits end in `wait-timeout`.
 */
export interface AddonCluster {
  /** What charts ask about a cluster: its version (`v1.32.0`) and what its API offers. */
  capabilities(): Promise<{ version: string; apiVersions: readonly string[] }>
  applySet(set: ObjectSet, onStep?: (message: string) => void): Promise<SetResult>
  /** Applies the CRDs of a set alone, and waits until they are established. */
  applyDefinitions(set: ObjectSet): Promise<SetResult>
  setDrift(set: ObjectSet): Promise<readonly SetDrift[]>
  removeSet(name: string): Promise<SetResult>
  /** Names of nodes that are not among these and not Ready. */
  foreignUnready(own: readonly string[]): Promise<readonly string[]>
  /** Waits until each workload of a set does its work; `excusedPods` may be missing from a DaemonSet. */
  waitForSet(set: ObjectSet, wait: AddonWait & { readonly excusedPods?: number }): Promise<void>
  waitForGate(requirements: GateRequirements, wait: AddonWait): Promise<void>
  /** Waits until each of these objects has its condition. */
  waitForConditions(
    of: string,
    objects: readonly (ObjectRef & { readonly condition: string })[],
    wait: AddonWait,
  ): Promise<void>
  /** Waits until the CSINode of each of these nodes lists a driver. */
  waitForCsiDriver(driver: string, nodes: readonly string[], wait: AddonWait): Promise<void>
}
