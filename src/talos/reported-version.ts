import { isClusterError } from '../lib/cluster-error.ts'
import { talosApi } from './api/talos-api.ts'
import type { TalosCaller } from './api/talos-caller.ts'
import { containerOf, type StaticPodState } from './static-pod-health.ts'

/** How much of a log is read for its beginning, in bytes. */
const beginning = 64 * 1024
/** What a controller manager and a scheduler of every supported minor say first, before they do anything. */
const starting = /"Starting[^"]*" version="(v[^"]+)"/

/**
 * The version that the running container of a static pod says it is, at the beginning of its own log. Undefined where
 * that is gone, as it is once a log was rotated, or the node does not report it.
 */
export async function reportedVersion(
  client: TalosCaller,
  { component, status }: StaticPodState,
): Promise<string | undefined> {
  const running = containerOf(status)?.id.replace(/^.*:\/\//, '')
  try {
    const { machine } = talosApi(client)
    const { containers } = await machine.containers('k8s.io')
    const own = containers.find(
      ({ name, internalId }) => name === component && internalId === running,
    )
    if (own === undefined) return undefined
    let text = ''
    for await (const { bytes } of machine.logs(own.id, { space: 'k8s.io' })) {
      text += new TextDecoder().decode(bytes)
      if (text.length > beginning) break
    }
    return starting.exec(text)?.[1]
  } catch (error) {
    if (!isClusterError(error)) throw error
    return undefined
  }
}
