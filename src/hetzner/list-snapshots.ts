import type { HetznerClient } from './api/hetzner-client.ts'
import type { ApiImage } from './api/images.ts'
import { readOrGone } from './apply/read-or-gone.ts'
import type { KnownResources } from './known-resources.ts'

/** Talos snapshots by their label, and those that the state recorded whatever their labels. */
export async function listSnapshots(
  client: HetznerClient,
  known: KnownResources | undefined,
): Promise<ApiImage[]> {
  const listed = await client.images.list({ type: 'snapshot', label_selector: 'os=talos' })
  const ids = new Set(listed.map(({ id }) => id))
  const missing = [...(known?.images.values() ?? [])].filter(({ id }) => !ids.has(id))
  const found = await Promise.all(missing.map(({ id }) => readOrGone(() => client.images.get(id))))
  return [...listed, ...found.filter((one) => one !== undefined)]
}
