import { type KubernetesObject, listAt, textAt } from '../lib/kubernetes-object.ts'

/** What the CRDs among some objects add to the API, as charts ask for it: `example.com/v1`, `example.com/v1/Widget`. */
export function crdVersions(objects: readonly KubernetesObject[]): string[] {
  const versions = objects
    .filter(({ kind }) => kind === 'CustomResourceDefinition')
    .flatMap((crd) => {
      const group = textAt(crd, 'spec', 'group')
      const kind = textAt(crd, 'spec', 'names', 'kind')
      return listAt(crd, 'spec', 'versions').flatMap((version) => {
        const name = textAt(version, 'name')
        return [`${group}/${name}`, `${group}/${name}/${kind}`]
      })
    })
  return [...new Set(versions)].sort()
}
