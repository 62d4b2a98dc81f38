import { type Random, randomHex } from '../../lib/random.ts'
import { type BootstrapToken, mintToken } from './bootstrap-token.ts'

/**
 * What a run mints for joining, and stores nowhere; all secrets. Each upload of the control plane's keys ends what a
 * former certificate key was good for, so a run has one, made by us: what kubeadm prints is never read.
 */
export interface JoinMaterial {
  readonly token: BootstrapToken
  /** What the keys of the control plane are encrypted with on their way: 32 bytes in hex. */
  readonly certificateKey: string
}

export function mintJoinMaterial(random: Random): JoinMaterial {
  return { token: mintToken(random), certificateKey: randomHex(random, 32) }
}
