import { readNode } from '../../kubernetes/nodes.ts'
import { condition } from '../../kubernetes/readiness.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import { textAt } from '../../lib/kubernetes-object.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import { waitFor } from '../../lib/wait-for.ts'
import type { HostsReach } from '../../run/kubeadm/hosts-reach.ts'
import type { RunContext } from '../../run/run-context.ts'
import { type AwayHosts, etcdProblem } from './etcd-members.ts'

export interface ControlPlaneWait {
  readonly context: RunContext
  readonly reach: HostsReach
  readonly progress: PhaseProgress
  /** Whose members of etcd are not waited for; everybody's are where absent. */
  readonly away?: AwayHosts
}

const withinMs = 10 * 60_000
/** What kubeadm runs on every control plane, as static pods. */
const components = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const

/**
 * Waits until the components of a control plane are Ready and etcd is healthy: nothing is stopped before, and the next
 * one's turn comes after. `version`, without v, is what they are to run, but for etcd, which has its own. Throws `wait-timeout`.
 */
export async function waitForControlPlane(
  name: string,
  { context, reach, progress, away }: ControlPlaneWait,
  version?: string,
): Promise<void> {
  const { clock, signal } = context
  await waitFor(
    `the control plane ${name} to be healthy`,
    async () => {
      try {
        const reason = (await problemOf(name, reach, version)) ?? (await etcdProblem(reach, away))
        return reason === undefined ? { done: undefined } : { pending: reason }
      } catch (error) {
        if (!(error instanceof ClusterError)) throw error
        return { pending: error.message }
      }
    },
    {
      clock,
      signal,
      everyMs: 2_000,
      withinMs,
      onPending: (reason) => progress.step(`${name}: ${reason}`),
      hint: `Look at its components on ${name} (crictl ps -a, crictl logs), fix what is wrong there, then run again.`,
    },
  )
}

async function problemOf(
  name: string,
  reach: HostsReach,
  version: string | undefined,
): Promise<string | undefined> {
  const kubernetes = reach.kubernetesOnce()
  const node = await kubernetes.get({ apiVersion: 'v1', kind: 'Node', name })
  if (node && !readNode(node).ready && readNode(node).silent) return 'its kubelet is silent'
  for (const component of components) {
    const pod = await kubernetes.get({
      apiVersion: 'v1',
      kind: 'Pod',
      namespace: 'kube-system',
      name: `${component}-${name}`,
    })
    if (!pod) return `${component} is not there`
    if (condition(pod, 'Ready')?.status !== 'True') return `${component} is not Ready`
    const image = textAt(pod, 'spec', 'containers', 0, 'image') ?? ''
    const isVersioned = version !== undefined && component !== 'etcd'
    if (isVersioned && !image.endsWith(`:v${version}`)) {
      return `${component} is not of version ${version} yet`
    }
  }
  return undefined
}
