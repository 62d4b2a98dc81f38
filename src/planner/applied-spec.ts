import type { CommonSpec } from '../spec/common-spec.ts'
import { specDigest } from '../spec/spec-digest.ts'
import type { Generation } from '../store/generation.ts'

/**
 * Whether the state says that this very spec was applied to its end. False for what was merged and never applied,
 * or whose apply did not come to its end.
 */
export function isApplied(spec: CommonSpec, generation: Generation | undefined): boolean {
  return generation?.manifest.specDigest === specDigest(spec)
}
