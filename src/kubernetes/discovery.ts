import { isJsonObject, type Json } from '../lib/json.ts'
import { listAt, textAt } from '../lib/kubernetes-object.ts'

/** How one kind is addressed in the API. */
export interface ApiResource {
  readonly apiVersion: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
}

/** What a server offers. */
export interface Discovery {
  /** The server's version, with its v: `v1.32.0`. */
  readonly version: string
  /** Group versions and kinds as helm wants them: `apps/v1`, `apps/v1/Deployment`; sorted. */
  readonly apiVersions: readonly string[]
  /** The resource of a kind; undefined when the server does not offer it. */
  resourceOf(apiVersion: string, kind: string): ApiResource | undefined
}

/** Accept header for the aggregated form (GA since Kubernetes 1.30), with the plain one to fall back on. */
export const aggregatedDiscovery =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json'

/**
 * Reads everything that a server offers: two requests where it knows the aggregated form, one more for
 * each group version where it does not. `get` sends a GET to a path.
 */
export async function discover(
  get: (path: string, accept?: string) => Promise<Json>,
): Promise<Discovery> {
  const [version, ...roots] = await Promise.all([
    get('/version'),
    get('/api', aggregatedDiscovery),
    get('/apis', aggregatedDiscovery),
  ])
  const resources = (await Promise.all(roots.map((root) => resourcesOf(root, get)))).flat()
  const byKind = new Map(resources.map((one) => [`${one.apiVersion}/${one.kind}`, one]))
  const apiVersions = new Set(
    resources.flatMap((one) => [one.apiVersion, `${one.apiVersion}/${one.kind}`]),
  )
  return {
    version: textAt(version, 'gitVersion') ?? 'v0.0.0',
    apiVersions: [...apiVersions].sort(),
    resourceOf: (apiVersion, kind) => byKind.get(`${apiVersion}/${kind}`),
  }
}

async function resourcesOf(
  root: Json,
  get: (path: string, accept?: string) => Promise<Json>,
): Promise<ApiResource[]> {
  if (textAt(root, 'kind') === 'APIGroupDiscoveryList')
    return listAt(root, 'items').flatMap(ofGroup)
  const lists = await Promise.all(
    groupVersionsOf(root).map((groupVersion) => get(pathOf(groupVersion))),
  )
  return lists.flatMap(ofResourceList)
}

/** The path under which a group version's resources are found. */
export function pathOf(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
}

function ofGroup(group: Json): ApiResource[] {
  const name = textAt(group, 'metadata', 'name') ?? ''
  return listAt(group, 'versions').flatMap((version) => {
    const apiVersion = joinGroup(name, textAt(version, 'version') ?? '')
    return listAt(version, 'resources').map((resource) => ({
      apiVersion,
      kind: textAt(resource, 'responseKind', 'kind') ?? '',
      plural: textAt(resource, 'resource') ?? '',
      namespaced: textAt(resource, 'scope') === 'Namespaced',
    }))
  })
}

function groupVersionsOf(root: Json): string[] {
  if (textAt(root, 'kind') === 'APIVersions') {
    return listAt(root, 'versions').filter((version) => typeof version === 'string')
  }
  return listAt(root, 'groups').flatMap((group) =>
    listAt(group, 'versions').flatMap((version) => textAt(version, 'groupVersion') ?? []),
  )
}

function ofResourceList(list: Json): ApiResource[] {
  const apiVersion = textAt(list, 'groupVersion') ?? ''
  return listAt(list, 'resources')
    .filter(isJsonObject)
    .filter((resource) => !(textAt(resource, 'name') ?? '/').includes('/'))
    .map((resource) => ({
      apiVersion,
      kind: textAt(resource, 'kind') ?? '',
      plural: textAt(resource, 'name') ?? '',
      namespaced: resource['namespaced'] === true,
    }))
}

function joinGroup(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`
}
