import { isJsonObject } from '../../lib/json.ts'
import { listResources } from './resources.ts'
import type { CallOptions, TalosCaller } from './talos-caller.ts'

/**
 * The schematic of the image that a node runs, as the factory wrote it into the image: 64 hex digits.
 * Undefined for an image that tells none. It is a virtual extension, whose resource has any id.
 */
export async function readSchematic(
  client: TalosCaller,
  options?: CallOptions,
): Promise<string | undefined> {
  const type = { namespace: 'runtime', type: 'ExtensionStatuses.runtime.talos.dev' }
  for (const { spec } of await listResources(client, type, options)) {
    const extension = isJsonObject(spec) ? spec['metadata'] : undefined
    if (isJsonObject(extension) && extension['name'] === 'schematic') {
      return String(extension['version'])
    }
  }
  return undefined
}
