import { textAt } from '../../lib/kubernetes-object.ts'
import type { ClusterNode } from '../../plan/cluster-node.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import type { Component } from '../../spec/component.ts'
import { publicConfig } from './config-digest.ts'
import { oldView } from './reshape/old-view.ts'
import { placeInDocuments } from './reshape/setting-homes.ts'

/** Where a machine config names the image of each component. */
export const imagePaths: Readonly<Record<Component, readonly string[]>> = {
  'kube-apiserver': ['cluster', 'apiServer', 'image'],
  'kube-controller-manager': ['cluster', 'controllerManager', 'image'],
  'kube-scheduler': ['cluster', 'scheduler', 'image'],
  'kube-proxy': ['cluster', 'proxy', 'image'],
  kubelet: ['machine', 'kubelet', 'image'],
}

const imageFields = new Set(
  Object.values(imagePaths).flatMap((path) => {
    const place = placeInDocuments(path)
    return [path.join('.'), ...(place ? [[place.kind, ...place.path].join('.')] : [])]
  }),
)

/** Whether a field, as differences name them, is the image of a component of Kubernetes. */
export function isComponentImage(field: string): boolean {
  return imageFields.has(field)
}

/** The images of Kubernetes that a node's config names, patches included: a patch may take them elsewhere. */
export function componentImages(
  spec: ClusterSpec,
  node: ClusterNode,
): Readonly<Partial<Record<Component, string>>> {
  const main = oldView(publicConfig(spec, node))
  const found = Object.entries(imagePaths).flatMap(([component, path]) => {
    const image = textAt(main, ...path)
    return image === undefined ? [] : [[component, image] as const]
  })
  return Object.fromEntries(found)
}

/** The version in an image's tag, with its v and without a flavour: `v1.36.3`. */
export function imageVersion(image: string): string | undefined {
  return /:(v\d+\.\d+\.\d+[^@]*?)(?:-(?:fat|slim))?(?:@.*)?$/.exec(image)?.[1]
}
