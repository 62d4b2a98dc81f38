import type { Change } from '../../plan/change.ts'
import type { HostsView } from '../../planner/kubeadm/hosts-view.ts'
import type { StateRecorder } from '../../run/state-recorder.ts'
import { forgetNode } from '../forget-node.ts'
import type { ClusterHosts } from './cluster-hosts.ts'
import { type LeftAs, leaveHost } from './leave-host.ts'

interface HostRemoval {
  readonly hosts: ClusterHosts
  readonly view: HostsView
  readonly recorder: StateRecorder
}

/**
 * Leaves a host of a cluster that goes as a whole: nobody is drained, and etcd ends with its last member. The state forgets
 * it then: what it still knows is what is left to do.
 */
export async function removeHost(
  { before }: Change,
  { hosts, view, recorder }: HostRemoval,
  step: (text: string) => void,
): Promise<void> {
  const name = before?.name ?? ''
  const leftAs = waysToLeave.find((way) => way === before?.spec['onRemove']) ?? 'keep'
  step(leftAs === 'keep' ? 'stopping its node' : 'resetting it')
  const { uid } = recorder.inventory
  const minutes = view.spec.kubeadm.timeoutMinutes.reset
  await leaveHost(await hosts.remote(name), { uid, leftAs, minutes })
  forgetNode(recorder, name)
  await recorder.flush()
}

const waysToLeave: readonly LeftAs[] = ['keep', 'reset', 'purge']
