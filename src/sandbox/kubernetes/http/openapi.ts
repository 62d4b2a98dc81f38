import type { Json, JsonObject } from '../../../lib/json.ts'
import type { ResourceRegistry } from '../model/resource-registry.ts'
import { apiVersionOf, type ResourceType } from '../model/resource-type.ts'

/**
 * The OpenAPI documents as far as clients ask them whether a kind understands `dryRun` and
 * `fieldValidation`: operations and their parameters, no schemas of fields.
 */
export function openApi(registry: ResourceRegistry, path: string): JsonObject | undefined {
  if (path === '/openapi/v2') return version2(registry)
  if (path === '/openapi/v3') return index(registry)
  if (!path.startsWith('/openapi/v3/')) return undefined
  const root = path.slice('/openapi/v3/'.length)
  const types = registry.all().filter((type) => rootOf(type) === root)
  return types.length === 0 ? undefined : version3(types)
}

function rootOf(type: ResourceType): string {
  return `${type.group === '' ? 'api' : 'apis'}/${apiVersionOf(type)}`
}

function index(registry: ResourceRegistry): JsonObject {
  const roots = [...new Set(registry.all().map(rootOf))]
  return {
    paths: Object.fromEntries(
      roots.map((root) => [root, { serverRelativeURL: `/openapi/v3/${root}?hash=sandbox` }]),
    ),
  }
}

function version3(types: readonly ResourceType[]): JsonObject {
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'unversioned' },
    paths: Object.fromEntries(
      types.map((type) => [
        pathOf(type),
        { patch: { ...operation(type, writeParameters.map(withSchema)) } },
      ]),
    ),
    components: {
      schemas: Object.fromEntries(types.map((type) => [definitionName(type), definition(type)])),
    },
  }
}

function version2(registry: ResourceRegistry): JsonObject {
  const types = registry.all()
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: 'unversioned' },
    paths: Object.fromEntries(
      types.map((type) => [
        pathOf(type),
        {
          patch: operation(
            type,
            writeParameters.map((name) => ({ name, in: 'query', type: 'string' })),
          ),
        },
      ]),
    ),
    definitions: Object.fromEntries(types.map((type) => [definitionName(type), definition(type)])),
  }
}

const writeParameters = ['dryRun', 'fieldManager', 'fieldValidation', 'force']

function withSchema(name: string): JsonObject {
  return { name, in: 'query', schema: { type: 'string' } }
}

function pathOf(type: ResourceType): string {
  const place = type.namespaced ? 'namespaces/{namespace}/' : ''
  return `/${rootOf(type)}/${place}${type.plural}/{name}`
}

function operation(type: ResourceType, parameters: Json[]): JsonObject {
  return {
    'x-kubernetes-action': 'patch',
    'x-kubernetes-group-version-kind': kindOf(type),
    operationId: `patch${type.kind}`,
    parameters,
    responses: { 200: { description: 'OK' } },
  }
}

function definitionName(type: ResourceType): string {
  const group = type.group === '' ? 'core' : type.group
  return `io.k8s.api.${group}.${type.version}.${type.kind}`
}

function definition(type: ResourceType): JsonObject {
  return {
    type: 'object',
    'x-kubernetes-group-version-kind': [kindOf(type)],
    'x-kubernetes-preserve-unknown-fields': true,
  }
}

function kindOf({ group, version, kind }: ResourceType): JsonObject {
  return { group, version, kind }
}
