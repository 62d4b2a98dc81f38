import type { ObjectSet } from '../lib/object-set.ts'
import type { NamespaceMetadata } from './sort-namespaces.ts'

/** A namespace that addons live in, as a set of its own: it belongs to none of them. */
export function namespaceSet(name: string, { labels, annotations }: NamespaceMetadata): ObjectSet {
  const annotated = Object.keys(annotations).length > 0 && { annotations: { ...annotations } }
  return {
    name: `namespace-${name}`,
    namespace: name,
    objects: [
      {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name, labels: { ...labels }, ...annotated },
      },
    ],
    hooks: { before: [], after: [] },
  }
}
