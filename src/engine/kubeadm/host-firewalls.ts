import { isClusterError } from '../../lib/cluster-error.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import { foundIn } from '../../planner/kubeadm/found-in-view.ts'
import type { ClusterHosts, HostsWork } from './cluster-hosts.ts'

interface FirewallOptions extends Pick<HostsWork, 'view' | 'recorder'> {
  readonly hosts: ClusterHosts
}

/** The firewalls of hosts that are nodes already, as others join and leave. A host that joins opens its own while it is prepared. */
export class HostFirewalls {
  readonly #options: FirewallOptions
  #opened: Promise<void> | undefined

  constructor(options: FirewallOptions) {
    this.#options = options
  }

  /** Lets in all that the file names, on each node whose firewall does not, before the first of them joins. */
  letIn(progress: PhaseProgress): Promise<void> {
    this.#opened ??= this.#open(progress)
    return this.#opened
  }

  async #open(progress: PhaseProgress): Promise<void> {
    const { hosts, view } = this.#options
    const closed = view.spec.hosts.filter(({ name }) =>
      foundIn(view)
        .hosts.get(name)
        ?.evidence.some(({ check, state }) => check === 'firewall' && state === 'failed'),
    )
    await Promise.all(
      closed
        .filter(({ name }) => this.#members().includes(name))
        .map(async ({ name }) => {
          progress.step(`${name}: opening its firewall to those that join`)
          await hosts.openFirewall(name)
        }),
    )
  }

  /** The others do not let a host in any more that has left. One that keeps it open is reported, and nothing stops for it. */
  async letOut(name: string, progress: PhaseProgress): Promise<void> {
    const { hosts, view } = this.#options
    const { nodeIp } = hosts.known(name)
    const reached = foundIn(view).hosts
    const others = this.#members().filter((other) => other !== name && reached.has(other))
    await Promise.all(
      others.map(async (other) => {
        try {
          await hosts.closeFirewall(other, nodeIp)
        } catch (error) {
          if (!isClusterError(error) || error.code === 'interrupted') throw error
          progress.step(
            `${other} still lets in ${nodeIp}, the address of ${name}: ${error.message}`,
          )
        }
      }),
    )
  }

  #members(): string[] {
    return this.#options.recorder.inventory.nodes.flatMap(({ name, host }) =>
      host?.membership === 'member' ? [name] : [],
    )
  }
}
