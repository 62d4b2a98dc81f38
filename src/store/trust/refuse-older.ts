import { manifestPath } from '../files/layout.ts'
import { digest } from '../files/manifest.ts'
import type { Generation } from '../generation.ts'
import { stateDamage } from './state-damage.ts'

/** How far a state is known to have come: kept outside of the branch, at the provider. */
export interface StateAnchor {
  readonly generation: number
  readonly keyEpoch: number
}

/** Nothing continues from what a former key signed, so `repair --accept-older` would refuse it again. */
const beforeRotation =
  'Bring back what the present key signed, since no run continues from what a former key signed: push the newest commit that a clone or the activity of the repository has to the state branch, or run `hcloud-talos import --from <bundle>` with a bundle that was exported since the rotation. Only if there is neither, run `hcloud-talos recover --replace-state --talosconfig <file>`, which reads the running cluster instead.'

/** Whether a generation is before the anchor's, or of a key epoch before it. */
export function isOlder({ manifest }: Generation, anchor: StateAnchor): boolean {
  return manifest.generation < anchor.generation || manifest.keyEpoch < anchor.keyEpoch
}

/** Throws `state-rolled-back` for a generation or a key epoch before the anchor's. */
export function refuseOlder(
  former: Generation,
  anchor: StateAnchor,
  source: string,
  hint?: string,
): void {
  if (!isOlder(former, anchor)) return
  const { cluster, generation, keyEpoch } = former.manifest
  throw stateDamage(
    'state-rolled-back',
    cluster,
    `the state is of generation ${generation}, key epoch ${keyEpoch}; ${source} that it has been of generation ${anchor.generation}, key epoch ${anchor.keyEpoch}`,
    { hint: hint ?? (keyEpoch < anchor.keyEpoch ? beforeRotation : undefined) },
  )
}

/**
 * What a former key signed may be a thief's: it is never made the newest by the present one. Throws `state-rolled-back`.
 */
export function refuseFormerKey(base: Generation, { keyEpoch }: StateAnchor): void {
  const { generation } = base.manifest
  refuseOlder(base, { generation, keyEpoch }, 'it is known')
}

/**
 * Throws unless `next`, read later, can have come after `former`: `state-rolled-back` for an older one, and
 * `state-chain-broken` for one that does not go back to it.
 */
export function refuseOtherPast(former: Generation, next: Generation): void {
  refuseOlder(next, former.manifest, 'this run has seen')
  const ahead = next.manifest.generation - former.manifest.generation
  if (ahead > 1) return
  const past = digest(former.files.get(manifestPath) ?? new Uint8Array())
  const previous =
    ahead === 1 ? next.manifest.previous : digest(next.files.get(manifestPath) ?? new Uint8Array())
  if (previous === past) return
  throw stateDamage(
    'state-chain-broken',
    former.manifest.cluster,
    `the generation ${next.manifest.generation} of the state does not go back to the generation ${former.manifest.generation} that this run has seen`,
  )
}
