import { textDigest } from '../../lib/canonical-json.ts'
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

/**
 * What patches on a host are compared by, undefined where there are none: what
 * `(cd /etc/kubernetes/patches && sha256sum -- *) | sha256sum` prints, in the C locale.
 */
export function patchesDigest(spec: HostsSpec): string | undefined {
  const lines = patchFiles(spec)
    .map(({ path, text }) => [path.slice(patchesFolder.length + 1), textDigest(text)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, digest]) => `${digest}  ${name}\n`)
  return lines.length === 0 ? undefined : textDigest(lines.join(''))
}
