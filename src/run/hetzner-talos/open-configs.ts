import { isClusterError } from '../../lib/cluster-error.ts'
import { isJsonObject } from '../../lib/json.ts'
import { nodeConfigPath } from '../../store/files/layout.ts'
import { readableDocuments } from '../../store/files/readable-documents.ts'
import type { Generation } from '../../store/generation.ts'
import type { StateStore } from '../../store/state-store.ts'
import type { ConfigDocument } from '../../talos/config/config-document.ts'
import { parseYamlDocuments } from '../../talos/config/yaml-documents.ts'

/**
 * The machine configs of control planes of which nobody reads anything without the key: with `state.encrypt: all`.
 * None where this run has no key. Throws what opening them throws, other than for want of a key.
 */
export async function openConfigs(
  store: StateStore,
  { inventory, files }: Generation,
): Promise<ReadonlyMap<string, readonly ConfigDocument[]>> {
  const opened = new Map<string, readonly ConfigDocument[]>()
  if (!inventory.bootstrapped) return opened
  for (const { name, role } of inventory.nodes) {
    const content = role === 'control-plane' ? files.get(nodeConfigPath(name)) : undefined
    if (content === undefined || readableDocuments(content) !== undefined) continue
    try {
      const text = await store.readNodeConfig(name)
      if (text !== undefined) opened.set(name, parseYamlDocuments(text).filter(isJsonObject))
    } catch (error) {
      if (!isClusterError(error, 'identity-missing')) throw error
      return opened
    }
  }
  return opened
}
