import type { CertificateAndKey } from './certificate-authority.ts'
import type { SecretsBundle } from './secrets-bundle.ts'

/**
 * How far the CA of the Talos API is replaced: `none` (one CA), `accepting` (the next one is accepted too), `issuing`
 * (it issues, and the former one is accepted). Each step is on every node before the next one begins, so that there
 * is a way in at each moment; what `talosctl rotate-ca` does, from the bundle instead of the nodes.
 */
export type ReplacementStep = 'none' | 'accepting' | 'issuing'

export function replacementStep({ certs }: SecretsBundle): ReplacementStep {
  if (!certs.osAccepted) return 'none'
  return certs.osAccepted.key === undefined ? 'issuing' : 'accepting'
}

/** The first step: certificates of `next` are good too. */
export function acceptNext(bundle: SecretsBundle, next: CertificateAndKey): SecretsBundle {
  expectStep(bundle, 'none')
  return { ...bundle, certs: { ...bundle.certs, osAccepted: next } }
}

/** The second: the next CA issues. The key of the former one is kept nowhere any more. */
export function issueNext(bundle: SecretsBundle): SecretsBundle {
  expectStep(bundle, 'accepting')
  const { os, osAccepted: { crt, key } = { crt: '' } } = bundle.certs
  if (key === undefined) throw new Error('the next CA has no key')
  return { ...bundle, certs: { ...bundle.certs, os: { crt, key }, osAccepted: { crt: os.crt } } }
}

/** The third: certificates of the former CA are worth nothing. */
export function dropFormer(bundle: SecretsBundle): SecretsBundle {
  expectStep(bundle, 'issuing')
  const { osAccepted: _, ...certs } = bundle.certs
  return { ...bundle, certs }
}

function expectStep(bundle: SecretsBundle, step: ReplacementStep): void {
  const found = replacementStep(bundle)
  if (found !== step) throw new Error(`the CA is at the step ${found}, not ${step}`)
}
