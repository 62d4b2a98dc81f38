import { recordKey } from '../../../plan/record.ts'
import { oldestVersion, runningVersion } from '../../../plan/running-kubernetes.ts'
import type { ClusterSpec } from '../../../spec/cluster-spec.ts'
import type { ControlPlaneComponent } from '../../../spec/component.ts'
import { componentImages } from '../../config/component-images.ts'
import type { ImageRequest, RunningCluster, RunningVersion, VersionedKind } from '../talos-kind.ts'

/** The manifests that Talos brings into a cluster, as a record. */
export const manifestsName = 'bootstrap-manifests'

/**
 * The components of the control plane, each in one step over all control planes, and in the end what Talos brings in. A
 * component is as old as its oldest node.
 */
export const kubernetesKind: VersionedKind = {
  name: 'kubernetes',
  comparedBy: 'upgrade',
  running,
  reason: (name, { controlPlanes }) => reason(name, controlPlanes),
  phase: 'none',
  upgrade: { phase: 'kubernetes', images },
}

function running({ spec, inventory, nodes, from }: RunningCluster): RunningVersion[] {
  const controlPlanes = nodes.filter(({ role }) => role === 'control-plane')
  const steps = controlPlaneSteps(spec).map((component): RunningVersion => {
    const versions = controlPlanes.map((node) => runningVersion(node, component))
    return { name: component, version: oldestVersion(versions) ?? from, turn: 'control planes' }
  })
  const version = inventory.manifestsVersion ?? from
  return [...steps, { name: manifestsName, version, turn: 'manifests' }]
}

/** The components of the control plane that are upgraded one after the other, in that order. */
function controlPlaneSteps(spec: ClusterSpec): ControlPlaneComponent[] {
  // Cilium takes the place of kube-proxy, whose version then changes with the scheduler's.
  const proxy: ControlPlaneComponent[] = spec.cni.type === 'cilium' ? [] : ['kube-proxy']
  return ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', ...proxy]
}

function reason(name: string, controlPlanes: number): string {
  if (name === manifestsName) return 'what Talos brings into the cluster follows, CoreDNS among it'
  if (name === 'kube-proxy') return 'its image follows; its pods are replaced with the manifests'
  if (controlPlanes > 1) return 'it restarts on one control plane after the other'
  return name === 'kube-apiserver'
    ? 'it restarts on the only control plane: its API is away for about a minute'
    : 'it restarts on the only control plane'
}

const staticPods: readonly ControlPlaneComponent[] = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
]

function images({ spec, node, planned }: ImageRequest) {
  if (node.role !== 'control-plane') return []
  const references = componentImages(spec, node)
  return staticPods
    .filter((name) => planned.has(recordKey({ kind: 'kubernetes', name })))
    .flatMap((name) => {
      const reference = references[name]
      return reference === undefined ? [] : [{ reference, store: 'pods' } as const]
    })
}
