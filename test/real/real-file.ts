import { stringify } from 'yaml'
import { realNodesTalosKeys } from '../../rig/real-nodes-file.ts'

export interface RealFile {
  readonly controlPlanes: number
  readonly workers: number
  /** Without v; the newest that the bed has where absent. */
  readonly talos?: string
  readonly kubernetes?: string
  /** Further patches of all nodes. */
  readonly patches?: readonly object[]
  readonly controlPlanePatches?: readonly object[]
  /** Labels of the workers' nodes. */
  readonly workerLabels?: Readonly<Record<string, string>>
  /** Recipients and signers, once they are named. */
  readonly state?: object
  /** Whom the firewall lets in, besides a run for as long as it lasts. */
  readonly admit?: readonly string[]
}

/** The addresses of this world's user, as firewalls see it. */
export const ourselves = ['198.51.100.1/32']

/** A cluster file for real nodes. Volumes are not played there, so nothing is installed that mounts them. */
export function realFile({
  controlPlanes,
  workers,
  talos = '1.13.0',
  kubernetes = '1.35.4',
  patches = [],
  controlPlanePatches = [],
  workerLabels = {},
  state = {},
  admit = ourselves,
}: RealFile): string {
  return stringify({
    clusterName: 'demo',
    hetzner: { region: 'hel1' },
    firewall: { kubernetesApi: admit, talosApi: admit },
    nodes: {
      controlPlane: { count: controlPlanes, type: 'cx23' },
      workers:
        workers === 0 ? [] : [{ name: 'pool', count: workers, type: 'cx23', labels: workerLabels }],
    },
    talos: {
      version: `v${talos}`,
      ...realNodesTalosKeys,
      patches: [...realNodesTalosKeys.patches, ...patches],
      controlPlanePatches,
    },
    kubernetes: { version: kubernetes },
    addons: { hcloudCsi: { enabled: false } },
    state,
  })
}
