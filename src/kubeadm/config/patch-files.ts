import type { JsonObject } from '../../lib/json.ts'
import type { HostsSpec } from '../../spec/hosts/hosts-spec.ts'
import { patchesFolder } from './kubeadm-paths.ts'

export interface PatchFile {
  readonly path: string
  readonly text: string
}

/** The patches of a spec as files whose names say to kubeadm what they change, how, and in which order. */
export function patchFiles({ kubeadm: { patches } }: HostsSpec): PatchFile[] {
  return patches.map(({ target, type, text }, index) => {
    const order = String(index).padStart(4, '0')
    return { path: `${patchesFolder}/${target}${order}+${type}.yaml`, text }
  })
}

/** Where kubeadm finds them, as a field of its configs. */
export function patchesField({ kubeadm: { patches } }: HostsSpec): JsonObject {
  return patches.length === 0 ? {} : { patches: { directory: patchesFolder } }
}
