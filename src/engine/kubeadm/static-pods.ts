import type { KubernetesClient } from '../../kubernetes/kubernetes-client.ts'
import { textAt } from '../../lib/kubernetes-object.ts'
import { scriptOutput } from '../../run/kubeadm/host-script.ts'
import type { HostsReach } from '../../run/kubeadm/hosts-reach.ts'
import type { RemoteHost } from '../../ssh/ssh-pool.ts'
import type { ClusterHosts } from './cluster-hosts.ts'

/** What kubeadm runs on every control plane, as static pods, in the order in which they are restarted. */
export const controlPlanePods = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
] as const

/** The containers that static pods ran in before a change, by name; undefined for one that was not there. */
export type FormerContainers = ReadonlyMap<string, string | undefined>

export function staticPodRef(pod: string, host: string) {
  return { apiVersion: 'v1', kind: 'Pod', namespace: 'kube-system', name: `${pod}-${host}` }
}

/** The container that a pod runs in, as its kubelet last said: it has another one after each restart. */
export function containerIn(pod: Parameters<typeof textAt>[0]): string | undefined {
  return textAt(pod, 'status', 'containerStatuses', 0, 'containerID')
}

interface Places {
  readonly hosts: ClusterHosts
  readonly reach: HostsReach
}

const apiWithinMs = 5 * 60_000
const askMs = 60_000

/**
 * Does something that makes static pods of a host start again, and returns in which containers those ran before: the ones
 * whose files it changed, and those that it stops by name. The kubelet takes its time, and says until then that they are
 * Ready: who waits for them must wait for other containers.
 */
export async function whileRestarting(
  name: string,
  { hosts, reach }: Places,
  work: () => Promise<void>,
  stopped: readonly string[] = [],
): Promise<FormerContainers> {
  const remote = await hosts.remote(name)
  const kubernetes = await reach.kubernetes(apiWithinMs)
  const before = await manifests(remote)
  const names = [...new Set([...controlPlanePods, ...before.keys(), ...stopped])]
  const containers = await containersOf(kubernetes, name, names)
  await work()
  const after = await manifests(remote)
  const changed = [...after].flatMap(([pod, digest]) => (before.get(pod) === digest ? [] : [pod]))
  const renewed = new Set([...changed, ...stopped])
  return new Map([...renewed].map((pod) => [pod, containers.get(pod)]))
}

async function containersOf(
  kubernetes: KubernetesClient,
  host: string,
  pods: readonly string[],
): Promise<FormerContainers> {
  const entries = pods.map(async (pod) => {
    const found = await kubernetes.get(staticPodRef(pod, host))
    return [pod, found && containerIn(found)] as const
  })
  return new Map(await Promise.all(entries))
}

const manifestsScript = `
cd /etc/kubernetes/manifests 2>/dev/null || exit 0
for file in *.yaml; do
  [ ! -f "$file" ] || printf '%s %s\\n' "\${file%.yaml}" "$(sha256sum <"$file" | cut -d' ' -f1)"
done
`

/** The files of static pods, by name, each with its digest. */
async function manifests(remote: RemoteHost): Promise<ReadonlyMap<string, string>> {
  const printed = await scriptOutput(remote, {
    title: 'look at its static pods',
    text: manifestsScript,
    withinMs: askMs,
    isRepeatable: true,
  })
  return new Map(
    printed.split('\n').flatMap((line) => {
      const [pod, digest] = line.split(' ')
      return pod && digest ? [[pod, digest] as const] : []
    }),
  )
}
