import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import type { ControlPlaneComponent } from '../../spec/component.ts'

/** The version of a component in this spec's machine configs, without v. */
export function componentVersion(
  { kubernetes }: ClusterSpec,
  component: ControlPlaneComponent,
): string {
  return kubernetes.components?.[component] ?? kubernetes.version
}
