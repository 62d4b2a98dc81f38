import type { Change } from '../plan/change.ts'
import { diffRecords } from '../plan/diff-records.ts'
import type { Inventory, InventoryNode } from '../plan/inventory.ts'
import { type ClusterRecord, recordKey } from '../plan/record.ts'
import { clusterKubernetes, oldestVersion, runningVersion } from '../plan/running-kubernetes.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'
import type { ControlPlaneComponent } from '../spec/component.ts'

/** The manifests that Talos brings into a cluster, as a record. */
export const manifestsName = 'bootstrap-manifests'

/** The components of the control plane that are upgraded one after the other, in that order. */
export function controlPlaneSteps(spec: ClusterSpec): ControlPlaneComponent[] {
  // Cilium takes the place of kube-proxy, whose version then changes with the scheduler's.
  const proxy: ControlPlaneComponent[] = spec.cni.type === 'cilium' ? [] : ['kube-proxy']
  return ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', ...proxy]
}

/**
 * What differs between the Kubernetes that a cluster runs and the file's: components of the control
 * plane, the kubelet of each of these nodes, and the bootstrap manifests, in the order in which talosctl
 * upgrades them, each after the one before. A component is as old as its oldest node.
 */
export function diffKubernetes(
  spec: ClusterSpec,
  inventory: Inventory,
  nodes: readonly InventoryNode[],
): Change[] {
  const controlPlanes = nodes.filter(({ role }) => role === 'control-plane')
  const from = clusterKubernetes({ ...inventory, nodes })
  if (from === undefined) return []
  const kubelets = [...controlPlanes, ...nodes.filter(({ role }) => role === 'worker')]
  const live = [
    ...controlPlaneSteps(spec).map((component) => {
      const versions = controlPlanes.map((node) => runningVersion(node, component))
      return versioned('kubernetes', component, oldestVersion(versions) ?? from)
    }),
    ...kubelets.map((node) =>
      versioned('kubelet', node.name, runningVersion(node, 'kubelet') ?? from),
    ),
    versioned('kubernetes', manifestsName, inventory.manifestsVersion ?? from),
  ]
  const desired = live.map(({ kind, name }) => versioned(kind, name, spec.kubernetes.version))
  const changes = new Map(
    diffRecords(desired, live, rules(controlPlanes.length)).map((change) => [change.key, change]),
  )
  return live.flatMap((record) => changes.get(recordKey(record)) ?? [])
}

function versioned(kind: ClusterRecord['kind'], name: string, version: string): ClusterRecord {
  return { kind, name, spec: { version }, needs: [] }
}

function rules(controlPlanes: number): Parameters<typeof diffRecords>[2] {
  const never = () => {
    throw new Error('versions are changed, never made or removed')
  }
  return {
    create: never,
    delete: never,
    update: (_before, { kind, name }) => ({
      action: 'update',
      risk: 'live',
      reason:
        kind === 'kubelet'
          ? 'its kubelet restarts; pods continue to run'
          : why(name, controlPlanes),
    }),
  }
}

function why(name: string, controlPlanes: number): string {
  if (name === manifestsName) return 'what Talos brings into the cluster follows, CoreDNS among it'
  if (name === 'kube-proxy') return 'its image follows; its pods are replaced with the manifests'
  if (controlPlanes > 1) return 'it restarts on one control plane after the other'
  return name === 'kube-apiserver'
    ? 'it restarts on the only control plane: its API is away for about a minute'
    : 'it restarts on the only control plane'
}
