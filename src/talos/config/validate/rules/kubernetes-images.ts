import { supportsKubernetes } from '../../../../spec/tables/version-matrix.ts'
import type { Fault } from '../config-problem.ts'
import type { Rule } from '../config-view.ts'
import { newestKnownMinor } from '../known-fields.ts'
import { textAt } from '../read-config.ts'

const components = ['apiServer', 'controllerManager', 'scheduler']

/** Since 1.11 a node reads the version of Kubernetes off the tags, and refuses those that it does not run. */
export const imagesNameTheirVersion: Rule = ({ machine, cluster }, { role, minor }) => {
  if (minor < 11 || minor > newestKnownMinor) return []
  return [
    ...imageFaults(['machine', 'kubelet', 'image'], textAt(machine, 'kubelet', 'image'), minor),
    ...(role === 'control-plane'
      ? components.flatMap((component) =>
          imageFaults(['cluster', component, 'image'], textAt(cluster, component, 'image'), minor),
        )
      : []),
  ]
}

export function imageFaults(at: readonly string[], image: string, minor: number): Fault[] {
  // Without an image, Talos takes the one of its own version.
  if (image === '') return []
  const [, version] = /^.*:v(\d+\.\d+(?:\.\d+)?)(?:[-+][^@]*)?(?:@.*)?$/.exec(image) ?? []
  if (version === undefined) {
    return [{ at, message: 'must end in the version of Kubernetes, as in …:v1.34.1' }]
  }
  if (supportsKubernetes(`v1.${minor}.0`, version)) return []
  return [{ at, message: `is Kubernetes ${version}, which Talos 1.${minor} does not run` }]
}
