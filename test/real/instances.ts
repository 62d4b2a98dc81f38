import type { RealCluster } from './real-cluster.ts'

/** Static pods of a control plane: each is recreated, with a sandbox of its own, where Talos asks for another. */
const pods = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const
const services = ['etcd', 'kubelet'] as const

/** What runs on a control plane, by component: another text once it was restarted, whoever did it. */
export type Instances = Readonly<Record<string, string>>

/**
 * The instances of a node's components, and its boot. A container that ends by itself, as one does whose API
 * server was away, is started again in the sandbox that it has, which counts as the same instance.
 */
export async function instancesOf(cluster: RealCluster, node: string): Promise<Instances> {
  const [boot, containers, ...perService] = await Promise.all([
    readByTalosctl(cluster, node, 'read', '/proc/sys/kernel/random/boot_id'),
    readByTalosctl(cluster, node, 'containers', '--kubernetes'),
    ...services.map((service) => readByTalosctl(cluster, node, 'service', service)),
  ])
  const sandboxes = containers
    .split('\n')
    .map((line) => line.split(/\s+/))
    .filter((columns) => columns.includes('SANDBOX_READY'))
  const ofPod = (pod: string): [string, string] => {
    const own = sandboxes.filter((columns) => columns.includes(`kube-system/${pod}-${node}`))
    return [pod, own.map((columns) => columns.at(-2)).join(' ')]
  }
  // The newest event comes first.
  const ofService = (service: string, index: number): [string, string] => [
    service,
    perService[index]?.match(/\(PID (\d+)\)/)?.[1] ?? '',
  ]
  return Object.fromEntries([['boot', boot.trim()], ...pods.map(ofPod), ...services.map(ofService)])
}

/** Those of which another instance runs, or none. */
export function restarted(before: Instances, after: Instances): string[] {
  return Object.keys(before)
    .filter((component) => before[component] !== after[component])
    .sort()
}

/** What a node's own Talos says of it to talosctl. */
export async function readByTalosctl(
  cluster: RealCluster,
  node: string,
  ...args: string[]
): Promise<string> {
  const { code, stdout, stderr } = await cluster.talosctl(node, ...args)
  if (code !== 0) throw new Error(`talosctl ${args.join(' ')}: ${stderr}`)
  return stdout
}
