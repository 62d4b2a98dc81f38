import { type Checked, waitFor } from '../lib/wait-for.ts'
import { isApiAway } from './api-refusal.ts'
import type { KubernetesClient } from './kubernetes-client.ts'
import type { NodeWait } from './nodes.ts'

export interface AwaitedVersion {
  readonly node: string
  /** With v. */
  readonly version: string
}

/**
 * Waits until the API server of a node says itself that it is of this version: a tag says what somebody called an
 * image. Throws `wait-timeout`.
 */
export async function waitForServedVersion(
  api: KubernetesClient,
  { node, version }: AwaitedVersion,
  wait: NodeWait,
): Promise<void> {
  const check = async (): Promise<Checked<void>> => {
    api.refreshDiscovery()
    const reported = (await api.discovery()).version
    if (reported === version) return { done: undefined }
    return { pending: `it reports ${reported || 'no version'}` }
  }
  await waitFor(
    `the API server of ${node} to report ${version}`,
    async () => {
      try {
        return await check()
      } catch (error) {
        if (!isApiAway(error)) throw error
        return { pending: 'it is away' }
      }
    },
    { everyMs: 1_000, ...wait },
  )
}
