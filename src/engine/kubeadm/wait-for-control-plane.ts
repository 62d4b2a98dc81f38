import { readNode } from '../../kubernetes/nodes.ts'
import { condition } from '../../kubernetes/readiness.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import { textAt } from '../../lib/kubernetes-object.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import { waitFor } from '../../lib/wait-for.ts'
import type { HostsReach } from '../../run/kubeadm/hosts-reach.ts'
import type { RunContext } from '../../run/run-context.ts'
import { type AwayHosts, etcdProblem } from './etcd-members.ts'
import {
  containerIn,
  controlPlanePods,
  type FormerContainers,
  staticPodRef,
} from './static-pods.ts'

export interface ControlPlaneWait {
  readonly context: RunContext
  readonly reach: HostsReach
  readonly progress: PhaseProgress
  /** Whose members of etcd are not waited for; everybody's are where absent. */
  readonly away?: AwayHosts
}

export interface AwaitedPods {
  /** Without v: what they are to run, but for etcd, which has its own. */
  readonly version?: string | undefined
  /** Where they ran before they were changed: those wait for another container. */
  readonly former?: FormerContainers
}

const withinMs = 10 * 60_000

/**
 * Waits until the components of a control plane are Ready and etcd is healthy: nothing is stopped before, and the next
 * one's turn comes after. Throws `wait-timeout`.
 */
export async function waitForControlPlane(
  name: string,
  { context, reach, progress, away }: ControlPlaneWait,
  awaited: AwaitedPods = {},
): Promise<void> {
  const { clock, signal } = context
  await waitFor(
    `the control plane ${name} to be healthy`,
    async () => {
      try {
        const reason = (await problemOf(name, reach, awaited)) ?? (await etcdProblem(reach, away))
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
  { version, former = new Map() }: AwaitedPods,
): Promise<string | undefined> {
  const kubernetes = reach.kubernetesOnce()
  const node = await kubernetes.get({ apiVersion: 'v1', kind: 'Node', name })
  if (node && !readNode(node).ready && readNode(node).silent) return 'its kubelet is silent'
  for (const component of new Set([...controlPlanePods, ...former.keys()])) {
    const pod = await kubernetes.get(staticPodRef(component, name))
    if (!pod) return `${component} is not there`
    if (former.has(component) && former.get(component) === containerIn(pod)) {
      return `${component} has not started again yet`
    }
    if (condition(pod, 'Ready')?.status !== 'True') return `${component} is not Ready`
    const image = textAt(pod, 'spec', 'containers', 0, 'image') ?? ''
    const isVersioned = version !== undefined && component !== 'etcd' && component !== 'kube-vip'
    if (isVersioned && !image.endsWith(`:v${version}`)) {
      return `${component} is not of version ${version} yet`
    }
  }
  return undefined
}
