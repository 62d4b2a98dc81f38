import { parse } from 'yaml'
import { isJsonObject, type JsonObject } from '../../lib/json.ts'

/** The ClusterConfiguration that kubeadm keeps in the cluster; undefined where the text is none. */
export function readConfiguration(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(JSON.stringify(parse(text) ?? null))
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
