import { fieldAt } from '../../src/lib/kubernetes-object.ts'
import type { KubeObject } from '../../src/sandbox/kubernetes/model/kube-object.ts'
import { SimKubernetes } from '../../src/sandbox/kubernetes/sim-kubernetes.ts'
import type { World } from '../../src/sandbox/world.ts'
import { newestCluster } from './world-facts.ts'

/** The Kubernetes of the cluster that was made last. */
export function kubernetesOf(world: World): SimKubernetes {
  const instances = [...newestCluster(world).kubernetes.values()]
  const [instance] = instances
  if (instances.length !== 1 || !(instance?.kubernetes instanceof SimKubernetes)) {
    throw new Error(`a cluster has one Kubernetes, not ${instances.length}`)
  }
  return instance.kubernetes
}

/** Its nodes, by name, in order. */
export function nodesOf(world: World): KubeObject[] {
  return kubernetesOf(world)
    .context.store.list('nodes')
    .sort((a, b) => a.metadata.name.localeCompare(b.metadata.name))
}

export function nodeNames(world: World): string[] {
  return nodesOf(world).map(({ metadata }) => metadata.name)
}

/** Names of the nodes that are Ready and take pods. */
export function usableNodes(world: World): string[] {
  const kubernetes = kubernetesOf(world)
  return nodesOf(world)
    .filter((node) => fieldAt(node, 'spec', 'unschedulable') !== true)
    .map(({ metadata }) => metadata.name)
    .filter((name) => kubernetes.nodeReady(name))
}
