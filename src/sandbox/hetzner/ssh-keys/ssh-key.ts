import type { Labelled } from '../labels.ts'

export interface SshKeyRecord extends Labelled {
  /** MD5 of the key's bytes, as pairs of hex digits with colons. */
  readonly fingerprint: string
  readonly publicKey: string
}
