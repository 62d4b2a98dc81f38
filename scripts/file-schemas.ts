import type { JsonObject } from '../src/lib/json.ts'
import { hostsFileSchema } from '../src/spec/hosts/hosts-file.ts'
import { keysOfModes } from '../src/spec/mode-of-file.ts'
import { jsonSchemaOf } from '../src/spec/schema/file-shape.ts'
import { clusterFileSchema } from '../src/spec/schema/schema.ts'

/** The cluster file of servers at Hetzner with Talos. */
export const serversFileJsonSchema: JsonObject = jsonSchemaOf(clusterFileSchema)

/** The cluster file of hosts that exist, with kubeadm. */
export const hostsFileJsonSchema: JsonObject = jsonSchemaOf(hostsFileSchema)

/** What editors check a cluster file by, of whichever mode: the keys at its top tell which. */
export function editorSchema(): JsonObject {
  const { $schema = '', ...servers } = serversFileJsonSchema
  const { $schema: _, ...hosts } = hostsFileJsonSchema
  const byKeys = keysOfModes.hostsKubeadm.map((key) => ({ required: [key] }))
  // Written as pairs: an object with a `then` of its own would be taken for a promise.
  const choice = Object.fromEntries([
    ['if', { anyOf: byKeys }],
    ['then', hosts],
    ['else', servers],
  ])
  return { $schema, title: 'Cluster file of hcloud-talos', ...choice }
}
