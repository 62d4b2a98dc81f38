import type { Change } from '../plan/change.ts'
import type { ClusterNode } from '../plan/cluster-node.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'
import type { Component } from '../spec/component.ts'
import { componentImages } from './config/component-images.ts'
import { installerImage } from './config/schematic.ts'
import type { WantedImage } from './pull-images.ts'

const staticPods: readonly Component[] = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
]

/** The images that a node needs for these changes of an upgrade, and the store in which it needs each. Pure. */
export function upgradeImages(
  spec: ClusterSpec,
  node: ClusterNode,
  changes: readonly Change[],
): WantedImage[] {
  const planned = new Set<string>(changes.map(({ key }) => key))
  const images = componentImages(spec, node)
  const wanted = (component: Component, store: WantedImage['store']): WantedImage[] => {
    const reference = images[component]
    return reference === undefined ? [] : [{ reference, store }]
  }
  const installer: WantedImage = {
    reference: installerImage(spec),
    store: 'system',
  }
  return [
    ...(planned.has(`node/${node.name}`) ? [installer] : []),
    ...staticPods
      .filter((name) => node.role === 'control-plane' && planned.has(`kubernetes/${name}`))
      .flatMap((name) => wanted(name, 'pods')),
    ...(planned.has(`kubelet/${node.name}`) ? wanted('kubelet', 'services') : []),
  ]
}
