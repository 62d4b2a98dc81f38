import type { Labelled } from '../labels.ts'

export interface CertificateRecord extends Labelled {
  readonly type: 'uploaded'
  readonly certificate: string
  readonly fingerprint: string
  readonly domainNames: readonly string[]
  readonly notValidBefore: number
  readonly notValidAfter: number
}
