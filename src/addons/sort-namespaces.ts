import { type KubernetesObject, textsAt } from '../lib/kubernetes-object.ts'
import type { AddonTraits } from './addon.ts'
import type { RenderedAddon } from './render-addon.ts'

/** What the namespaces of addons are to be like, by name. */
export type AddonNamespaces = ReadonlyMap<string, NamespaceMetadata>

export interface NamespaceMetadata {
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

/**
 * Takes the namespaces that addons live in out of what was rendered: several addons may be in one, and a chart or
 * manifest may bring its own, so that each of them would give it to itself. What they want of it is joined; what the
 * file says (`podSecurity`) comes last. Those of Kubernetes stay as they are. Pure.
 *
 * @param addons all that are enabled, also those that were not rendered
 */
export function sortNamespaces(
  addons: readonly Pick<AddonTraits, 'namespace' | 'namespaceLabels'>[],
  sets: ReadonlyMap<string, RenderedAddon>,
): { readonly sets: ReadonlyMap<string, RenderedAddon>; readonly namespaces: AddonNamespaces } {
  const names = new Set(addons.map(({ namespace }) => namespace))
  const isOwn = ({ kind, metadata }: KubernetesObject) =>
    kind === 'Namespace' && (names.has(metadata.name) || isOfKubernetes(metadata.name))
  const brought = [...sets.values()].flatMap(({ objects }) => objects.filter(isOwn))
  const namespaces = [...names]
    .filter((name) => !isOfKubernetes(name))
    .map((name) => {
      const objects = brought.filter(({ metadata }) => metadata.name === name)
      const wanted = addons.filter(({ namespace }) => namespace === name)
      const texts = (field: 'labels' | 'annotations') =>
        Object.assign({}, ...objects.map((object) => textsAt(object, 'metadata', field)))
      const labels = Object.assign(
        texts('labels'),
        ...wanted.map(({ namespaceLabels }) => namespaceLabels),
      )
      return [name, { labels, annotations: texts('annotations') }] as const
    })
  const rest = [...sets].map(([name, set]): [string, RenderedAddon] => [
    name,
    { ...set, objects: set.objects.filter((object) => !isOwn(object)) },
  ])
  return { sets: new Map(rest), namespaces: new Map(namespaces) }
}

function isOfKubernetes(namespace: string): boolean {
  return namespace === 'default' || namespace.startsWith('kube-')
}
