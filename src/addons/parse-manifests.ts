import { parseAllDocuments, type Tags } from 'yaml'
import { ClusterError } from '../lib/cluster-error.ts'
import { isKubernetesObject, type KubernetesObject, listAt } from '../lib/kubernetes-object.ts'

/** Tags of YAML 1.1 that Go's reader does not have: `12:30` and `2020-01-01` are texts to it. */
const unknownToGo = ['intTime', 'floatTime', 'timestamp', 'binary', 'set', 'omap', 'pairs']

/**
 * The objects in what helm printed, or in a file of manifests, in its order, lists taken apart. Read by the rules of YAML 1.1, as
 * Kubernetes' own tools do: `defaultMode: 0400` is an octal number. Throws `helm-failed`, or
 * `addon-failed` that names the file.
 */
export function parseManifests(text: string, file?: string): KubernetesObject[] {
  const documents = parseAllDocuments(text, {
    version: '1.1',
    uniqueKeys: false,
    customTags: (tags: Tags) =>
      tags.filter((tag) => !unknownToGo.includes(typeof tag === 'string' ? tag : nameOf(tag))),
  })
  return [...documents].flatMap((document) => {
    const [problem] = document.errors
    if (problem) throw unreadable(file === undefined ? problem.message : 'it is no YAML', file)
    const value = withoutNulls(document.toJS({ maxAliasCount: 1000 }) ?? null)
    return value === undefined ? [] : flatten(value, file)
  })
}

/**
 * JSON without the fields that templates left empty (`initContainers:`), as the API server would drop
 * them; applied as they are, they would be fields of ours that hold nothing.
 */
function withoutNulls(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, field) => (field === null ? undefined : field))
}

function flatten(value: unknown, file: string | undefined): KubernetesObject[] {
  if (isList(value)) return listAt(value, 'items').flatMap((item) => flatten(item, file))
  if (isKubernetesObject(value)) return [value]
  throw unreadable('one of its documents is no object with apiVersion, kind and a name', file)
}

function isList(value: unknown): value is KubernetesObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    typeof value.kind === 'string' &&
    value.kind.endsWith('List') &&
    'items' in value
  )
}

function nameOf(tag: Exclude<Tags[number], string>): string {
  if (tag.tag === 'tag:yaml.org,2002:int' && tag.format === 'TIME') return 'intTime'
  if (tag.tag === 'tag:yaml.org,2002:float' && tag.format === 'TIME') return 'floatTime'
  return tag.tag.replace('tag:yaml.org,2002:', '')
}

function unreadable(why: string, file: string | undefined): ClusterError {
  if (file !== undefined) {
    return new ClusterError('addon-failed', `the manifests of ${file} cannot be read: ${why}`, {
      operation: 'read manifests',
      target: file,
      hint: 'Look at what is at this address: it must be Kubernetes objects as YAML or JSON.',
    })
  }
  return new ClusterError('helm-failed', `what helm rendered cannot be read: ${why}`, {
    operation: 'render chart',
  })
}
