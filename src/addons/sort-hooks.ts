import { ClusterError } from '../lib/cluster-error.ts'
import { describeRef, type KubernetesObject, refOf, textsAt } from '../lib/kubernetes-object.ts'
import type { ObjectSet } from '../lib/object-set.ts'

type Place = 'objects' | 'before' | 'after' | 'nowhere' | 'left out'

/** Where an object with this hook goes. Tests are not run; rollbacks by helm never happen here. */
const places: Readonly<Record<string, Place>> = {
  'crd-install': 'objects',
  'pre-install': 'before',
  'pre-upgrade': 'before',
  'post-install': 'after',
  'post-upgrade': 'after',
  test: 'nowhere',
  'test-success': 'nowhere',
  'test-failure': 'nowhere',
  'pre-rollback': 'nowhere',
  'post-rollback': 'nowhere',
  // Removing an addon deletes its objects. A chart that has to tidy up before says so in its documentation.
  'pre-delete': 'left out',
  'post-delete': 'left out',
}

/**
 * Tells a chart's hooks from its objects: helm runs the first at certain times, `helm template` merely
 * prints them among the others. Hooks come in the order of their weight. Throws `addon-failed` on a
 * hook that it does not know. Pure.
 */
export function sortHooks(
  all: readonly KubernetesObject[],
): Pick<ObjectSet, 'objects' | 'hooks'> & { readonly leftOut: readonly string[] } {
  const at = (place: Place) => all.filter((object) => placeOf(object) === place)
  return {
    objects: at('objects'),
    hooks: { before: byWeight(at('before')), after: byWeight(at('after')) },
    leftOut: at('left out').map((object) => `${describeRef(refOf(object))} (${hooksOf(object)})`),
  }
}

function placeOf(object: KubernetesObject): Place {
  const hooks = hooksOf(object)
  if (hooks === undefined) return 'objects'
  const found = hooks.split(',').map((hook) => {
    const place = places[hook.trim()]
    if (place !== undefined) return place
    throw new ClusterError(
      'addon-failed',
      `${describeRef(refOf(object))} is a ${hook.trim()} hook, which is not run`,
      { operation: 'render chart', hint: 'Switch it off by a value of the chart.' },
    )
  })
  // An object may be several; before its addon wins, since what needs it comes after.
  return (
    (['objects', 'before', 'after', 'left out'] as const).find((place) => found.includes(place)) ??
    'nowhere'
  )
}

function hooksOf(object: KubernetesObject): string | undefined {
  return textsAt(object, 'metadata', 'annotations')['helm.sh/hook']
}

function byWeight(hooks: readonly KubernetesObject[]): KubernetesObject[] {
  return [...hooks].sort((a, b) => weightOf(a) - weightOf(b))
}

function weightOf(object: KubernetesObject): number {
  return Number(textsAt(object, 'metadata', 'annotations')['helm.sh/hook-weight'] ?? 0)
}
