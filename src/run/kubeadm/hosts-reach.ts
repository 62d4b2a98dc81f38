import type { EtcdMember } from '../../kubeadm/cluster/etcd-member.ts'
import { memberScript } from '../../kubeadm/cluster/member-script.ts'
import { readMembers } from '../../kubeadm/cluster/read-members.ts'
import { kubernetesFolder } from '../../kubeadm/config/kubeadm-paths.ts'
import { createTransport } from '../../kubernetes/api-transport.ts'
import { FailoverTransport } from '../../kubernetes/failover-transport.ts'
import { readKubeconfig } from '../../kubernetes/kubeconfig.ts'
import { clientOver, type KubernetesClient } from '../../kubernetes/kubernetes-client.ts'
import type { Clock } from '../../lib/clock.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { Random } from '../../lib/random.ts'
import { waitFor } from '../../lib/wait-for.ts'
import { apiServerPort } from '../../spec/hosts/api-server-port.ts'
import { dialFrom } from '../../ssh/dial-from.ts'
import { readFile } from '../../ssh/read-file.ts'
import type { RemoteHost } from '../../ssh/ssh-pool.ts'
import { scriptOutput } from './host-script.ts'

/** A control plane whose API server and etcd can be asked. */
export interface ReachedControlPlane {
  readonly name: string
  /** Where its API server listens. */
  readonly nodeIp: string
  remote(): Promise<RemoteHost>
}

export interface ReachOptions {
  readonly clock: Clock
  readonly random: Random
  readonly signal: AbortSignal
}

/** How long one attempt at a request may take, in milliseconds of the wall clock. */
const requestMs = 30_000
const connectMs = 10_000
const askMs = 60_000
const mostKubeconfig = 256 * 1024

/**
 * The way into a cluster through its own control planes: each host is asked by SSH, and its API server through the same
 * connection, so that whoever reaches the hosts needs no other port. No host is special: one that does not answer is
 * passed over.
 */
export class HostsReach implements Disposable {
  readonly #options: ReachOptions
  readonly #transport: FailoverTransport
  #controlPlanes: readonly ReachedControlPlane[] = []

  constructor(options: ReachOptions) {
    this.#options = options
    this.#transport = new FailoverTransport((name) => this.#dial(name))
  }

  /** Whom to ask from now on, in order of preference. */
  use(controlPlanes: readonly ReachedControlPlane[]): void {
    this.#controlPlanes = controlPlanes
    this.#transport.use(controlPlanes.map(({ name }) => name))
  }

  get controlPlanes(): readonly ReachedControlPlane[] {
    return this.#controlPlanes
  }

  /** A client that asks once, of each of them at most, and waits for nobody. */
  kubernetesOnce(signal: AbortSignal = this.#options.signal): KubernetesClient {
    return clientOver(this.#transport, { ...this.#options, signal, retries: 0 })
  }

  /** A client of an API server that answers. Throws `wait-timeout` where none does in time (milliseconds). */
  async kubernetes(
    withinMs: number,
    onPending?: (reason: string) => void,
  ): Promise<KubernetesClient> {
    const once = this.kubernetesOnce()
    const { clock, signal } = this.#options
    await waitFor(
      'the Kubernetes API to answer',
      async () => {
        try {
          await once.get({ apiVersion: 'v1', kind: 'Namespace', name: 'kube-system' })
          return { done: undefined }
        } catch (error) {
          if (!(error instanceof ClusterError)) throw error
          return { pending: error.message }
        }
      },
      {
        clock,
        signal,
        withinMs,
        everyMs: 2_000,
        ...(onPending && { onPending }),
        hint: 'Look at the API servers on the control planes: `crictl ps -a` and `journalctl -u kubelet` there.',
      },
    )
    return clientOver(this.#transport, this.#options)
  }

  /** etcd's members as the first control plane lists them that can be asked. Throws what the last one did. */
  async members(
    except?: string,
  ): Promise<{ readonly through: string; readonly members: EtcdMember[] }> {
    let failure: unknown = new ClusterError(
      'script-failed',
      'no control plane can be asked for the members of etcd',
    )
    for (const controlPlane of this.#controlPlanes) {
      if (controlPlane.name === except) continue
      try {
        const remote = await controlPlane.remote()
        return { through: controlPlane.name, members: await askMembers(remote) }
      } catch (error) {
        if (!(error instanceof ClusterError)) throw error
        failure = error
      }
    }
    throw failure
  }

  /** Takes a member out of etcd, by any control plane but its own. */
  async removeMember(id: string, own: string): Promise<void> {
    const { through } = await this.members(own)
    const executor = this.#controlPlanes.find(({ name }) => name === through)
    if (!executor) throw new Error('a control plane that answered is known')
    await scriptOutput(await executor.remote(), {
      title: `remove the member ${id} of etcd`,
      text: memberScript,
      args: ['remove', id],
      withinMs: askMs,
    })
  }

  [Symbol.dispose](): void {
    this.#transport.close()
  }

  async #dial(name: string) {
    const controlPlane = this.#controlPlanes.find((one) => one.name === name)
    if (!controlPlane) throw new Error(`${name} is no control plane of this run`)
    const remote = await controlPlane.remote()
    const text = await readFile(remote, `${kubernetesFolder}/admin.conf`, {
      mostBytes: mostKubeconfig,
      withinMs: askMs,
    })
    if (text === undefined) {
      throw new ClusterError(
        'kubernetes-unreachable',
        `${name} has no ${kubernetesFolder}/admin.conf`,
      )
    }
    const connection = await readKubeconfig(text.toString('utf8'))
    const { key } = connection.tls
    if (key !== undefined) remote.redactor.add(key.toString())
    const to = { address: controlPlane.nodeIp, port: apiServerPort }
    return createTransport(
      {
        ...connection,
        server: new URL(`https://${to.address}:${to.port}`),
        dial: () => dialFrom(remote, to, connectMs),
      },
      requestMs,
    )
  }
}

async function askMembers(remote: RemoteHost): Promise<EtcdMember[]> {
  const ask = (what: string) =>
    scriptOutput(remote, {
      title: 'ask etcd for its members',
      text: memberScript,
      args: [what],
      withinMs: askMs,
      isRepeatable: true,
    })
  const list = await ask('list')
  return readMembers(list, await ask('health'))
}
