import { parse } from 'yaml'
import { ClusterError } from '../../lib/cluster-error.ts'
import { isJsonObject } from '../../lib/json.ts'
import type { ResourceType } from '../../talos/api/methods/resource-methods.ts'
import type { TalosApi } from '../../talos/api/talos-api.ts'

/** A kind of resource as a node describes it: where it lives, and what a table of it shows. */
export interface ResourceDefinition extends ResourceType {
  readonly columns: readonly { readonly name: string; readonly path: string }[]
  /** Whether only os:admin may read it. */
  readonly sensitive: boolean
}

const definitions = { namespace: 'meta', type: 'ResourceDefinitions.meta.cosi.dev' }

/** Every kind that a node knows. */
export async function listDefinitions(
  api: TalosApi,
): Promise<(ResourceDefinition & { readonly aliases: readonly string[] })[]> {
  const found = []
  for await (const { resource } of api.resources.list(definitions)) {
    const spec: unknown = parse(resource?.spec?.yamlSpec ?? '')
    if (!isJsonObject(spec)) continue
    const columns = Array.isArray(spec['printColumns']) ? spec['printColumns'] : []
    const aliases = Array.isArray(spec['allAliases']) ? spec['allAliases'] : []
    found.push({
      type: String(spec['type'] ?? ''),
      namespace: String(spec['defaultNamespace'] ?? ''),
      aliases: aliases.map(String),
      sensitive: spec['sensitivity'] === 'sensitive',
      columns: columns
        .filter(isJsonObject)
        .map(({ name, jsonPath }) => ({ name: String(name), path: String(jsonPath) })),
    })
  }
  return found
}

/** The kind that a user means: by its whole name, or any that the node gives it. Throws `usage`. */
export async function findDefinition(api: TalosApi, name: string): Promise<ResourceDefinition> {
  const all = await listDefinitions(api)
  const wanted = name.toLowerCase()
  const found = all.find(
    ({ type, aliases }) => type.toLowerCase() === wanted || aliases.includes(wanted),
  )
  if (found) return found
  throw new ClusterError('usage', `${name} is no kind of resource that the node has`, {
    hint: 'List them with `hcloud-talos talos get resourcedefinitions`.',
  })
}
