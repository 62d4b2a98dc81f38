import { isJsonObject } from '../lib/json.ts'
import type { CheckFinding } from './checks/spec-check.ts'

/** Keys at the top of a cluster file that only one mode has, those that name it best first. */
export const keysOfModes = {
  hetznerTalos: ['hetzner', 'talos', 'nodes', 'firewall', 'loadBalancer', 'endpoint'],
  hostsKubeadm: ['hosts', 'kubeadm', 'ssh'],
} as const

type ModeOfFile = keyof typeof keysOfModes

/** What is said of a file of another mode than that which is needed. */
const otherMode: Readonly<Record<ModeOfFile, { readonly message: string; readonly hint: string }>> =
  {
    hetznerTalos: {
      message:
        'the cluster of this file is on hosts that exist: this is for clusters with hetzner and talos alone',
      hint: 'Use `hcloud-talos status`, `hcloud-talos doctor` and `hcloud-talos kubeconfig` for a cluster on hosts.',
    },
    hostsKubeadm: {
      message:
        'the cluster of this file has servers at Hetzner: this is for clusters with hosts and kubeadm alone',
      hint: 'Name the file of a cluster on hosts with --config.',
    },
  }

const hint =
  'Keep hetzner and talos for servers that are created, or hosts and kubeadm for hosts that exist.'

/**
 * Why a file, as plain values, is not one of the mode that is needed: it has what belongs to both, what belongs to
 * neither, or what belongs to the other.
 */
export function modeOfFileFinding(root: unknown, needed: ModeOfFile): CheckFinding | undefined {
  // What is no mapping at all is reported as that.
  if (!isJsonObject(root)) return undefined
  const written = Object.keys(root)
  const firstOf = (mode: ModeOfFile) => keysOfModes[mode].find((key) => written.includes(key))
  const [servers, hosts] = [firstOf('hetznerTalos'), firstOf('hostsKubeadm')]
  if (servers !== undefined && hosts !== undefined) {
    return {
      severity: 'error',
      path: [hosts],
      message: `the file has ${servers} and ${hosts}: a cluster has either servers at Hetzner or hosts that exist`,
      hint,
      atKey: true,
    }
  }
  if (servers === undefined && hosts === undefined) {
    return {
      severity: 'error',
      path: [],
      message:
        'the file has neither hetzner and talos nor hosts and kubeadm: what the nodes run on is missing',
      hint,
    }
  }
  const other = needed === 'hetznerTalos' ? hosts : servers
  if (other === undefined) return undefined
  return { severity: 'error', path: [other], ...otherMode[needed], atKey: true }
}
