import { isClusterError } from '../lib/cluster-error.ts'
import type { HetznerClient } from './api/hetzner-client.ts'

/** Hetzner's ids begin at 1. */
const nobodysId = 0

/**
 * Finds out whether the token may write, without writing: Hetzner looks at the token before it looks at
 * what a request is about (facts of its error order), so changing what does not exist tells. Throws
 * `token-read-only`, `token-invalid`, `hetzner-unreachable`.
 */
export async function requireWrite(client: HetznerClient): Promise<void> {
  try {
    await client.sshKeys.setLabels(nobodysId, {})
  } catch (error) {
    if (isClusterError(error, 'hetzner-failed')) return
    throw error
  }
}
