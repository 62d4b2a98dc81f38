import { isJsonObject } from '../../lib/json.ts'
import { resourcesOf } from './resources.ts'
import { type TalosApi, talosApi } from './talos-api.ts'
import type { CallOptions, TalosCaller } from './talos-caller.ts'

/**
 * The schematic of the image that a node runs, as the factory wrote it into the image: 64 hex digits.
 * Undefined for an image that tells none. It is a virtual extension, whose resource has any id.
 */
export function readSchematic(
  client: TalosCaller,
  options?: CallOptions,
): Promise<string | undefined> {
  return findSchematic(talosApi(client), options)
}

/** The same for who has the API of the node already. */
export async function findSchematic(
  api: Pick<TalosApi, 'resources'>,
  options?: CallOptions,
): Promise<string | undefined> {
  const type = { namespace: 'runtime', type: 'ExtensionStatuses.runtime.talos.dev' }
  for (const { spec } of await resourcesOf(api, type, options)) {
    const extension = isJsonObject(spec) ? spec['metadata'] : undefined
    if (isJsonObject(extension) && extension['name'] === 'schematic') {
      return String(extension['version'])
    }
  }
  return undefined
}
