import type { Change } from '../plan/change.ts'
import type { Plan } from '../plan/plan.ts'
import { clusterKubernetes } from '../plan/running-kubernetes.ts'
import type { KnownCluster } from './known-cluster.ts'

/** A cluster as it is, for people and for the next step of a job. Holds no secret. Nulls stand for what is not known. */
export interface ClusterStatus {
  readonly cluster: string
  /** The mark of everything that is the cluster's; null before the first apply. */
  readonly uid: string | null
  /** Whether etcd was ever begun. */
  readonly begun: boolean
  /** Where the Kubernetes API is reached, `https://…:6443`. */
  readonly endpoint: string | null
  readonly kubernetes: { readonly wanted: string; readonly runs: string | null }
  readonly state: StateStatus | null
  readonly nodes: readonly NodeStatus[]
  /** Versions of addons as they were applied last, by name. */
  readonly addons: Readonly<Record<string, string>>
  /** What the next apply would do, and what waits for an upgrade, as keys. */
  readonly pending: { readonly apply: readonly string[]; readonly upgrade: readonly string[] }
  /** Why an apply would refuse, and what is doubtful. */
  readonly findings: readonly { readonly severity: string; readonly message: string }[]
}

/** What the state branch says of itself. */
interface StateStatus {
  readonly generation: number
  /** ISO 8601. */
  readonly writtenAt: string
  /** The run that wrote it. */
  readonly run: string
  /** The commit whose file was applied last to its end. */
  readonly appliedCommit: string | null
}

export interface NodeStatus {
  readonly name: string
  readonly role: 'control-plane' | 'worker'
  readonly pool: string
  /** Where it is reached from outside. */
  readonly address: string | null
  /** Where the other nodes reach it. */
  readonly internalAddress: string
  readonly machine: MachineStatus
  /** The operating system as Talos, or what runs containers: `Talos v1.13.9`, `containerd 2.3.7`. */
  readonly system: string | null
  /** Of its kubelet, with v. */
  readonly kubernetes: string | null
  /** Null where nobody asked Kubernetes, or it does not know the node. */
  readonly ready: boolean | null
  /** Why it is not Ready, or is not one of the cluster. */
  readonly because: string | null
  /** The run that cordoned it. */
  readonly cordonedBy: string | null
  /** When the first of its certificates ends, ISO 8601, where a look at it shows that. */
  readonly certificatesEnd: string | null
}

interface MachineStatus {
  readonly kind: 'server' | 'host'
  /** `missing`: asked for, and there is none. `unreached`: nobody answers. */
  readonly state: 'running' | 'off' | 'missing' | 'unreached'
  /** At its provider. */
  readonly id: string | null
  readonly type: string | null
  readonly place: string | null
}

/** What only the mode of a cluster knows of it. */
interface StatusParts {
  readonly endpoint: string | undefined
  readonly nodes: readonly NodeStatus[]
  /** Of an apply. */
  readonly plan: Plan
}

/** Pure. */
export function clusterStatus(
  { spec, generation }: KnownCluster,
  { endpoint, nodes, plan }: StatusParts,
): ClusterStatus {
  const { inventory, manifest } = generation ?? {}
  const runs = inventory?.bootstrapped ? clusterKubernetes(inventory) : undefined
  return {
    cluster: spec.clusterName,
    uid: inventory?.uid ?? null,
    begun: inventory?.bootstrapped ?? false,
    endpoint: endpoint ?? null,
    kubernetes: {
      wanted: withV(spec.kubernetes.version),
      runs: runs === undefined ? null : withV(runs),
    },
    state: manifest
      ? {
          generation: manifest.generation,
          writtenAt: manifest.writtenAt,
          run: manifest.writer.run,
          appliedCommit: manifest.appliedCommit,
        }
      : null,
    nodes: nodes.toSorted(byRoleAndName),
    addons: Object.fromEntries(
      Object.entries(inventory?.addons ?? {}).map(([name, { version }]) => [name, version]),
    ),
    pending: { apply: keysOf(plan.changes), upgrade: keysOf(plan.waiting) },
    findings: plan.findings.map(({ severity, message }) => ({ severity, message })),
  }
}

function keysOf(changes: readonly Change[]): string[] {
  return changes.map(({ action, key }) => `${action} ${key}`)
}

export function withV(version: string): string {
  return version.startsWith('v') ? version : `v${version}`
}

/** Control planes first, then by name, `workers-2` before `workers-10`. */
function byRoleAndName(a: NodeStatus, b: NodeStatus): number {
  if (a.role !== b.role) return a.role === 'control-plane' ? -1 : 1
  return a.name.localeCompare(b.name, 'en', { numeric: true })
}
