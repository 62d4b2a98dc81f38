import type { Json, JsonObject } from '../../../lib/json.ts'
import type { ResourceRegistry } from '../model/resource-registry.ts'
import { apiVersionOf, hasStatus, type ResourceType } from '../model/resource-type.ts'

const everyVerb = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
]

/** `/api` and `/apis` and what is right below them; undefined for any other path. */
export function discover(
  registry: ResourceRegistry,
  path: string,
  accept: string,
): { json: JsonObject; contentType?: string } | undefined {
  const steps = path.split('/').filter((step) => step !== '')
  const aggregated = /as=APIGroupDiscoveryList/.test(accept) && /v=v2(?!beta)/.test(accept)
  if (path === '/api' || path === '/apis') {
    if (aggregated) {
      return {
        json: groupDiscovery(registry, path === '/api'),
        contentType: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
      }
    }
    return { json: path === '/api' ? coreVersions : groupList(registry) }
  }
  if (steps[0] === 'apis' && steps.length === 2) {
    const group = groupsOf(registry).find(({ name }) => name === steps[1])
    return group && { json: { kind: 'APIGroup', apiVersion: 'v1', ...group.json } }
  }
  const groupVersion = steps.slice(1).join('/')
  const isVersion = (steps[0] === 'api' && steps.length === 2) || steps.length === 3
  const types = registry.all().filter((type) => apiVersionOf(type) === groupVersion)
  if (!isVersion || types.length === 0) return undefined
  return { json: resourceList(groupVersion, types) }
}

const coreVersions: JsonObject = {
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '' }],
}

interface Group {
  readonly name: string
  readonly versions: readonly string[]
  readonly json: JsonObject
}

function groupsOf(registry: ResourceRegistry): Group[] {
  const versions = new Map<string, Set<string>>()
  for (const { group, version } of registry.all()) {
    if (group === '') continue
    versions.set(group, (versions.get(group) ?? new Set()).add(version))
  }
  return [...versions].sort().map(([name, found]) => {
    const list = [...found].sort(byPriority)
    const named = list.map((version) => ({ groupVersion: `${name}/${version}`, version }))
    return {
      name,
      versions: list,
      json: { name, versions: named, preferredVersion: named[0] ?? {} },
    }
  })
}

/** v2 before v1 before v1beta2 before v1beta1 before v1alpha1, as Kubernetes sorts versions. */
function byPriority(a: string, b: string): number {
  const rank = (version: string) => {
    const [, major = '0', stage, minor = '0'] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? []
    const stageRank = stage === undefined ? 2 : stage === 'beta' ? 1 : 0
    return stageRank * 1e6 + Number(major) * 1e3 + Number(minor)
  }
  return rank(b) - rank(a)
}

function groupList(registry: ResourceRegistry): JsonObject {
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: groupsOf(registry).map(({ json }) => json),
  }
}

function verbsOf(type: ResourceType): string[] {
  return type.virtual ? ['create'] : everyVerb
}

function resourceList(groupVersion: string, types: readonly ResourceType[]): JsonObject {
  const resources = types.flatMap((type): Json[] => [
    {
      name: type.plural,
      singularName: type.singular,
      namespaced: type.namespaced,
      kind: type.kind,
      verbs: verbsOf(type),
      ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
      ...(type.categories.length === 0 ? {} : { categories: type.categories }),
    },
    ...type.subresources.map((subresource) => ({
      name: `${type.plural}/${subresource}`,
      singularName: '',
      namespaced: type.namespaced,
      ...subresourceKind(type, subresource),
      verbs: subresourceVerbs(type, subresource),
    })),
  ])
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources }
}

function subresourceKind(type: ResourceType, subresource: string) {
  if (subresource === 'eviction') return { kind: 'Eviction', group: 'policy', version: 'v1' }
  if (subresource === 'scale') return { kind: 'Scale', group: 'autoscaling', version: 'v1' }
  return { kind: subresource === 'binding' ? 'Binding' : type.kind }
}

function subresourceVerbs(type: ResourceType, subresource: string): string[] {
  if (subresource === 'eviction' || subresource === 'binding') return ['create']
  if (subresource === 'log') return ['get']
  if (subresource === 'finalize') return ['update']
  return hasStatus(type) ? ['get', 'patch', 'update'] : []
}

function groupDiscovery(registry: ResourceRegistry, core: boolean): JsonObject {
  const groups = core ? [{ name: '', versions: ['v1'] }] : groupsOf(registry)
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: { name, creationTimestamp: null },
      versions: versions.map((version) => ({
        version,
        freshness: 'Current',
        resources: registry
          .all()
          .filter((type) => type.group === name && type.version === version)
          .map(resourceDiscovery),
      })),
    })),
  }
}

function resourceDiscovery(type: ResourceType): JsonObject {
  const kindOf = (found: { kind: string; group?: string; version?: string }) => ({
    group: found.group ?? type.group,
    version: found.version ?? type.version,
    kind: found.kind,
  })
  return {
    resource: type.plural,
    responseKind: kindOf(type),
    scope: type.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: type.singular,
    verbs: verbsOf(type),
    ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
    ...(type.categories.length === 0 ? {} : { categories: type.categories }),
    ...(type.subresources.length === 0
      ? {}
      : {
          subresources: type.subresources.map((subresource) => ({
            subresource,
            responseKind: kindOf(subresourceKind(type, subresource)),
            verbs: subresourceVerbs(type, subresource),
          })),
        }),
  }
}
