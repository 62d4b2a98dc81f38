import type { SeenHost } from '../../kubeadm/host/seen-host.ts'
import { getNode } from '../../kubernetes/nodes.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import type { InventoryHost } from '../../plan/inventory.ts'
import { runningVersion } from '../../planner/kubeadm/running-version.ts'
import type { HostsReach } from '../../run/kubeadm/hosts-reach.ts'
import { lookAtHost } from '../../run/kubeadm/look-at-host.ts'
import type { RunContext } from '../../run/run-context.ts'
import type { HostSpec } from '../../spec/hosts/hosts-spec.ts'
import type { ClusterHosts, HostsWork } from './cluster-hosts.ts'
import { leftTraces, resetHost } from './leave-host.ts'
import { recordHost } from './record-host.ts'

export interface AdmissionOptions extends HostsWork {
  readonly context: RunContext
  readonly hosts: ClusterHosts
  readonly reach: HostsReach
}

/** How long the API may take to answer, in milliseconds. */
const apiWithinMs = 10 * 60_000

/** Whether a host may become a node, and what is written down around that: on the state branch and on the host itself. */
export class HostAdmission {
  readonly #options: AdmissionOptions

  constructor(options: AdmissionOptions) {
    this.#options = options
  }

  /**
   * What is on the host now: a plan may be some time ago. Throws `plan-refused` where it is of another cluster, or where
   * a node of its name is Ready on another machine: nothing was changed then, neither on it nor in etcd.
   */
  async examine(host: HostSpec): Promise<SeenHost> {
    const { hosts, view, context, recorder, reach } = this.#options
    const { name } = host
    const found = await lookAtHost(await hosts.remote(name), {
      spec: view.spec,
      host,
      version: runningVersion(view.spec, recorder.inventory),
      calendar: context.calendar,
    })
    if (hasTraces(found) && !this.#mayReset(found)) throw anotherCluster(name)
    if (!recorder.inventory.bootstrapped) return found
    const former = await getNode(await reach.kubernetes(apiWithinMs), name)
    if (former?.ready && former.machineId !== found.machineId) throw otherMachine(name)
    return found
  }

  /** Ours by its mark; another authority than that of the state is another cluster's, whatever its mark. */
  #mayReset({ mark, traces: { caHash } }: SeenHost): boolean {
    const { inventory } = this.#options.recorder
    if (mark?.uid !== inventory.uid) return false
    return (
      inventory.authority === undefined || caHash === undefined || caHash === inventory.authority
    )
  }

  /**
   * Makes a host ready for kubeadm to make a node of it. That is written down before anything is done there: a run that
   * dies in between is known by it, and what it left is reset by the next one.
   */
  async begin(host: HostSpec, found: SeenHost, progress: PhaseProgress): Promise<void> {
    const { hosts, view } = this.#options
    const { name } = host
    await this.#note(host, { membership: 'joining', machineId: found.machineId })
    if (hasTraces(found)) {
      progress.step(`${name}: resetting what it was before`)
      await resetHost(await hosts.remote(name), view.spec.kubeadm.timeoutMinutes.reset)
    }
    await hosts.mark(name)
    await hosts.writePatches(name)
  }

  /** Notes that a host is a node now, and of which Kubernetes. */
  async joined(host: HostSpec, kubernetesVersion: string): Promise<void> {
    await this.#note(host, { membership: 'member' }, kubernetesVersion)
  }

  async #note(
    host: HostSpec,
    facts: Pick<InventoryHost, 'membership' | 'machineId'>,
    kubernetesVersion?: string,
  ): Promise<void> {
    const { hosts, recorder, view } = this.#options
    const remote = await hosts.remote(host.name)
    const hostKey = remote.host.hostKey.text
    recordHost(
      recorder,
      view,
      host,
      { ...facts, ...(hostKey !== undefined && { hostKey }) },
      {
        kubernetesVersion,
      },
    )
    await recorder.flush()
  }
}

function hasTraces({ traces }: SeenHost): boolean {
  return leftTraces(traces).length > 0
}

function anotherCluster(name: string): ClusterError {
  return new ClusterError('plan-refused', `${name} is a node of another cluster`, {
    operation: 'make it a node',
    target: name,
    hint: `Take ${name} out of the cluster file, or reset it yourself (kubeadm reset) if nobody needs what it is now.`,
  })
}

/** Where a node of a host's name is another machine. */
export function otherMachine(name: string): ClusterError {
  return new ClusterError(
    'plan-refused',
    `the node ${name} is of another machine than the host that joined`,
    {
      operation: 'join the cluster',
      target: name,
      hint: 'Give each host a name of its own: two machines register under this one.',
    },
  )
}
