import { isJsonObject } from '../../lib/json.ts'
import type { CheckFinding } from '../checks/spec-check.ts'

/** The keys at the top of a cluster file that only one mode has, those that say which one it is first. */
const keysOfModes = {
  hetznerTalos: ['hetzner', 'talos', 'nodes', 'firewall', 'loadBalancer', 'endpoint'],
  hostsKubeadm: ['hosts', 'kubeadm', 'ssh'],
} as const

const hint =
  'Keep hetzner and talos for servers that are created, or hosts and kubeadm for hosts that exist.'

/** Why a file, as plain values, is of no mode: it has what belongs to both, or what belongs to neither. */
export function modeOfFileFinding(root: unknown): CheckFinding | undefined {
  const written = isJsonObject(root) ? Object.keys(root) : []
  const [servers, hosts] = [keysOfModes.hetznerTalos, keysOfModes.hostsKubeadm].map((keys) =>
    keys.find((key) => written.includes(key)),
  )
  if (servers !== undefined && hosts !== undefined) {
    return {
      severity: 'error',
      path: [hosts],
      message: `the file has ${servers} and ${hosts}: a cluster has either servers at Hetzner or hosts that exist`,
      hint,
      atKey: true,
    }
  }
  if (servers !== undefined || hosts !== undefined) return undefined
  return {
    severity: 'error',
    path: [],
    message:
      'the file has neither hetzner and talos nor hosts and kubeadm: what the nodes run on is missing',
    hint,
  }
}
