import { applyPatches } from '../../../../src/talos/config/apply-patch.ts'
import { unpatchedPublicConfig } from '../../../../src/talos/config/config-digest.ts'
import type { ConfigDocument } from '../../../../src/talos/config/config-document.ts'
import { clusterSpec } from '../../../plan/specs.ts'
import { clusterNode } from '../../nodes.ts'

const kubernetes: Readonly<Record<number, string>> = {
  9: '1.32.0',
  10: '1.33.0',
  11: '1.34.0',
  12: '1.35.0',
  13: '1.36.0',
  14: '1.37.0',
}

/** The config of a node for a minor of Talos, without secrets. */
export function plainConfig(
  minor: number,
  role: 'control-plane' | 'worker' = 'control-plane',
): readonly ConfigDocument[] {
  const base = clusterSpec()
  const spec = clusterSpec({
    talos: { ...base.talos, version: `v1.${Math.min(minor, 14)}.0` },
    kubernetes: { ...base.kubernetes, version: kubernetes[minor] ?? '1.37.0' },
  })
  return unpatchedPublicConfig(spec, clusterNode({ role }))
}

/** The same with a patch. */
export function patchedConfig(
  patch: string,
  minor: number,
  role?: 'control-plane' | 'worker',
): readonly ConfigDocument[] {
  return applyPatches(plainConfig(minor, role), [{ text: patch, source: 'the patch' }])
}
