/** What a path under /api or /apis speaks of. */
export interface ResourcePath {
  readonly group: string
  readonly version: string
  readonly namespace: string | undefined
  readonly plural: string
  readonly name: string | undefined
  readonly subresource: string | undefined
}

/** Reads `/apis/apps/v1/namespaces/x/deployments/y/status` and its like; undefined for anything else. */
export function parseResourcePath(path: string): ResourcePath | undefined {
  const steps = path
    .split('/')
    .filter((step) => step !== '')
    .map(decodeURIComponent)
  const [root, ...rest] = steps
  if (root === 'api') return readRest('', rest)
  if (root === 'apis') return readRest(rest[0] ?? '', rest.slice(1))
  return undefined
}

function readRest(group: string, [version, ...steps]: string[]): ResourcePath | undefined {
  if (version === undefined || steps.length === 0) return undefined
  const [first, second, third] = steps
  const inNamespace =
    first === 'namespaces' && third !== undefined && !['status', 'finalize'].includes(third)
  const [plural, name, subresource] = inNamespace ? steps.slice(2) : steps
  if (plural === undefined) return undefined
  return { group, version, namespace: inNamespace ? second : undefined, plural, name, subresource }
}
