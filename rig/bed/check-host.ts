import { RigError } from '../rig-error.ts'
import type { HostFacts } from './host-facts.ts'
import { hostLacks } from './host-lacks.ts'
import { type HostFolders, readHost } from './read-host.ts'

/**
 * Makes sure that this machine can carry real nodes, and changes nothing on it. Throws
 * a `RigError` with all that is missing, and what to do about each.
 */
export async function checkHost(folders: HostFolders): Promise<void> {
  requireFit(await readHost(folders))
}

/** The same, of a machine that was looked at before. */
export function requireFit(host: HostFacts): void {
  const lacks = hostLacks(host)
  if (lacks.length === 0) return
  throw new RigError(
    `this machine cannot run real nodes:\n${lacks.map((sentence) => `- ${sentence}`).join('\n')}`,
    'Run `hcloud-talos sandbox` instead: simulated nodes need none of this.',
  )
}
