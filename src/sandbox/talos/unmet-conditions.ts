import { machineServices } from './machine-services.ts'
import type { StageName } from './machine-stage.ts'
import type { TalosNode } from './talos-node.ts'

export interface UnmetCondition {
  readonly name: string
  readonly reason: string
}

/** What keeps a node from being ready in this stage; only a running node, or one in maintenance, can be. */
export function unmetConditions(node: TalosNode, stage: StageName): UnmetCondition[] {
  if (stage !== 'running') return []
  const unmet: UnmetCondition[] = []
  const required = new Set(['apid', 'machined', 'kubelet', 'etcd', 'trustd'])
  const problems = machineServices(node)
    .filter(({ id, state, healthy }) => required.has(id) && (state !== 'Running' || !healthy))
    .map(({ id, state }) => `${id} not ${state === 'Running' ? 'healthy' : 'running'}`)
  if (problems.length > 0) unmet.push({ name: 'services', reason: problems.join(', ') })
  const instance = kubernetesOf(node)
  if (node.config?.controlPlane && !instance?.isServedBy(node)) {
    unmet.push({ name: 'staticPods', reason: 'kube-system/kube-apiserver not ready' })
  }
  const ready = instance?.kubernetes.nodeReady?.(node.hostname) ?? node.kubelet.healthy
  if (!ready) unmet.push({ name: 'nodeReady', reason: `node "${node.hostname}" is not ready` })
  return unmet
}

/** The Kubernetes that this node belongs to, where there is one. */
function kubernetesOf(node: TalosNode) {
  const instances = [...(node.cluster?.kubernetes.values() ?? [])]
  const own = node.etcd.running && node.cluster?.kubernetes.get(node.etcd.running.id)
  return own ?? instances[0]
}
