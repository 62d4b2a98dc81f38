import { initScript, joinScript } from '../../kubeadm/acts/act-scripts.ts'
import type { EtcdMember } from '../../kubeadm/cluster/etcd-member.ts'
import { caCertHashes } from '../../kubeadm/config/ca-cert-hash.ts'
import { initFile } from '../../kubeadm/config/init-configuration.ts'
import { controlPlaneJoinFile, workerJoinFile } from '../../kubeadm/config/join-configuration.ts'
import { mintJoinMaterial } from '../../kubeadm/config/join-material.ts'
import { kubeVipManifest } from '../../kubeadm/config/kube-vip-manifest.ts'
import { kubernetesFolder } from '../../kubeadm/config/kubeadm-paths.ts'
import type { SeenHost } from '../../kubeadm/host/seen-host.ts'
import { deleteNode, getNode } from '../../kubernetes/nodes.ts'
import { waitForRegistration } from '../../kubernetes/wait-for-registration.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import { createLimit } from '../../lib/limit.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import { waitFor } from '../../lib/wait-for.ts'
import type { InventoryHost } from '../../plan/inventory.ts'
import { runningVersion } from '../../planner/kubeadm/running-version.ts'
import type { HostsReach } from '../../run/kubeadm/hosts-reach.ts'
import { lookAtHost } from '../../run/kubeadm/look-at-host.ts'
import { reachedBy } from '../../run/kubeadm/observe-hosts.ts'
import type { RunContext } from '../../run/run-context.ts'
import type { HostSpec, HostsSpec } from '../../spec/hosts/hosts-spec.ts'
import { readFile } from '../../ssh/read-file.ts'
import { type ClusterHosts, type HostsWork, writeHostFile } from './cluster-hosts.ts'
import { JoinTickets } from './join-tickets.ts'
import { leftTraces, resetHost } from './leave-host.ts'
import { recordHost } from './record-host.ts'
import { runJob } from './run-job.ts'

export interface MembershipOptions extends HostsWork {
  readonly context: RunContext
  readonly hosts: ClusterHosts
  readonly reach: HostsReach
}

/** How long the API may take to answer, and etcd to be whole, in milliseconds. */
const apiWithinMs = 10 * 60_000
const etcdWithinMs = 10 * 60_000
const readMs = 60_000
const mostCertificate = 64 * 1024

/** Makes hosts nodes of the cluster: the first by `kubeadm init`, all others by `kubeadm join`. */
export class Membership {
  readonly #options: MembershipOptions
  readonly #tickets: JoinTickets
  /** etcd has one member more or less at a time. */
  readonly oneAtATime = createLimit(1)

  constructor(options: MembershipOptions) {
    this.#options = options
    const { context, recorder, view, reach, hosts } = options
    this.#tickets = new JoinTickets({
      context,
      spec: specAsRunning(view.spec, runningVersion(view.spec, recorder.inventory)),
      kubernetes: () => reach.kubernetes(apiWithinMs),
      executor: async () => {
        const { through } = await reach.members()
        return { host: hosts.wanted(through), remote: await hosts.remote(through) }
      },
    })
  }

  /** Nobody joins with what this run minted any more. */
  revokeTickets(): Promise<void> {
    return this.#tickets.revoke()
  }

  /**
   * Begins the cluster on a host. What a former run left half done is reset: it was marked as ours, and the cluster knows
   * no configuration yet, so that there is nobody to lose. PKI is never made where any host shows a cluster.
   */
  async init(host: HostSpec, progress: PhaseProgress): Promise<void> {
    const { hosts, view, context, recorder } = this.#options
    const { spec } = view
    const { name } = host
    const remote = await hosts.remote(name)
    const found = await this.#look(host)
    if (hasTraces(found) && !this.#mayReset(found)) throw anotherCluster(name)
    await this.#begin(host, found)
    if (hasTraces(found)) {
      progress.step(`${name}: resetting what a run that ended early left on it`)
      await this.#reset(name)
    }
    await hosts.mark(name)
    await hosts.writePatches(name)
    await this.#writeKubeVip(host, found, 'before-init')
    const material = mintJoinMaterial(context.random)
    context.redactor.add(material.token.secret)
    context.redactor.add(material.certificateKey)
    progress.step(`${name}: kubeadm init`)
    await runJob(remote, {
      name: 'kubeadm-init',
      title: 'initialise the cluster',
      script: initScript,
      args: [initFile(spec, host, material)],
      minutes: spec.kubeadm.timeoutMinutes.init,
      onLine: (line) => progress.step(`${name}: ${line}`),
    })
    const authority = await this.#authorityOn(name)
    recorder.record(
      'The cluster was initialised',
      (inventory) => ({ ...inventory, authority, bootstrapped: true }),
      {},
      [{ fact: 'etcd-bootstrapped', node: name }],
    )
    await this.#joined(host, spec.kubernetes.version)
    await this.#writeKubeVip(host, found, 'after')
    await this.#members([name], progress)
  }

  /** Makes a host a node of the cluster that runs. */
  async join(host: HostSpec, progress: PhaseProgress): Promise<void> {
    const isControlPlane = host.role === 'control-plane'
    if (isControlPlane) return this.oneAtATime(() => this.#joinControlPlane(host, progress))
    await this.#join(host, progress, async (spec, caCertHashes) => {
      const { token } = await this.#tickets.forWorker()
      return workerJoinFile(spec, host, { token, caCertHashes })
    })
  }

  async #joinControlPlane(host: HostSpec, progress: PhaseProgress): Promise<void> {
    const { hosts, view } = this.#options
    const { name } = host
    await this.#dropUnstarted(host, progress)
    await this.#join(host, progress, async (spec, caCertHashes) => {
      const material = await this.#tickets.forControlPlane()
      return controlPlaneJoinFile(spec, host, { ...material, caCertHashes })
    })
    const { reach, session } = this.#options
    const known = hosts.known(name)
    const others = reach.controlPlanes.filter((one) => one.name !== name)
    reach.use([...others, reachedBy(session, known)])
    await this.#members(
      reach.controlPlanes.map((one) => one.name),
      progress,
    )
    const look = view.hosts.get(name)
    if (look?.kind === 'seen') await this.#writeKubeVip(host, look.host, 'after')
  }

  async #join(
    host: HostSpec,
    progress: PhaseProgress,
    fileFor: (spec: HostsSpec, caCertHashes: readonly string[]) => Promise<string>,
  ): Promise<void> {
    const { hosts, view, recorder, reach, context } = this.#options
    const { name } = host
    const remote = await hosts.remote(name)
    const found = await this.#look(host)
    if (hasTraces(found) && !this.#mayReset(found)) throw anotherCluster(name)
    await this.#begin(host, found)
    if (hasTraces(found)) {
      progress.step(`${name}: resetting what it was before`)
      await this.#reset(name)
    }
    await hosts.mark(name)
    await hosts.writePatches(name)
    const kubernetes = await reach.kubernetes(apiWithinMs, (reason) => progress.step(reason))
    const former = await getNode(kubernetes, name)
    if (former?.ready && former.machineId !== found.machineId) throw otherMachine(name)
    // kubeadm takes the place of a node of this name that is silent, with all that it was given.
    await deleteNode(kubernetes, name)
    const version = runningVersion(view.spec, recorder.inventory)
    const file = await fileFor(specAsRunning(view.spec, version), [this.#authority()])
    progress.step(`${name}: kubeadm join`)
    await runJob(remote, {
      name: 'kubeadm-join',
      title: 'join the cluster',
      script: joinScript,
      args: [file],
      minutes: view.spec.kubeadm.timeoutMinutes.join,
      onLine: (line) => progress.step(`${name}: ${line}`),
    })
    const { clock, signal } = context
    await waitForRegistration(kubernetes, [name], {
      clock,
      signal,
      onPending: (reason) => progress.step(reason),
    })
    const node = await getNode(kubernetes, name)
    if (node !== undefined && node.machineId !== found.machineId) throw otherMachine(name)
    await this.#joined(host, version)
  }

  async #reset(name: string): Promise<void> {
    const { hosts, view } = this.#options
    await resetHost(await hosts.remote(name), view.spec.kubeadm.timeoutMinutes.reset)
  }

  /** What is on the host now: a plan may be some time ago. */
  #look(host: Pick<HostSpec, 'name' | 'role'>): Promise<SeenHost> {
    const { hosts, view, context, recorder } = this.#options
    return hosts.remote(host.name).then((remote) =>
      lookAtHost(remote, {
        spec: view.spec,
        host,
        version: runningVersion(view.spec, recorder.inventory),
        calendar: context.calendar,
      }),
    )
  }

  /** Ours by its mark; another authority than that of the state is another cluster's, whatever its mark. */
  #mayReset({ mark, traces: { caHash } }: SeenHost): boolean {
    const { inventory } = this.#options.recorder
    if (mark?.uid !== inventory.uid) return false
    return (
      inventory.authority === undefined || caHash === undefined || caHash === inventory.authority
    )
  }

  /** Written down before anything is made there: a run that dies in between is known by it. */
  async #begin(host: HostSpec, found: SeenHost): Promise<void> {
    await this.#note(host, { membership: 'joining', machineId: found.machineId })
  }

  async #joined(host: HostSpec, kubernetesVersion: string): Promise<void> {
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

  #authority(): string {
    const { authority } = this.#options.recorder.inventory
    if (authority === undefined) throw new Error('a host joins a cluster whose authority is known')
    return authority
  }

  async #authorityOn(name: string): Promise<string> {
    const remote = await this.#options.hosts.remote(name)
    const path = `${kubernetesFolder}/pki/ca.crt`
    const pem = await readFile(remote, path, { mostBytes: mostCertificate, withinMs: readMs })
    const [hash] = pem === undefined ? [] : caCertHashes(pem.toString('utf8'))
    if (hash !== undefined) return hash
    throw new ClusterError('script-failed', `kubeadm init has left no authority on ${name}`, {
      operation: 'read the authority of the cluster',
      target: name,
      hint: `Look at ${path} on the host, then run again.`,
    })
  }

  async #writeKubeVip(
    host: HostSpec,
    { traces }: SeenHost,
    stage: 'before-init' | 'after',
  ): Promise<void> {
    const { hosts, view } = this.#options
    const { endpoint } = view.spec.kubeadm
    if (endpoint.type !== 'virtualIp') return
    const place = endpoint.interface ?? traces.vipInterface
    if (place === undefined) throw noWayToVip(host.name, endpoint.address)
    const manifest = kubeVipManifest(endpoint, {
      kubernetesVersion: view.spec.kubernetes.version,
      interface: place,
      stage,
    })
    const path = `${kubernetesFolder}/manifests/kube-vip.yaml`
    await writeHostFile(await hosts.remote(host.name), path, manifest, 0o600)
  }

  /** A member that never started, or that is of this very host before its join, keeps etcd from taking another one. */
  async #dropUnstarted(host: HostSpec, progress: PhaseProgress): Promise<void> {
    const { reach, recorder } = this.#options
    const { members } = await reach.members()
    const own = (member: EtcdMember) =>
      member.name === host.name || member.peerUrls.some((url) => url.includes(`//${host.nodeIp}:`))
    for (const member of members.filter((one) => one.name === '' || own(one))) {
      progress.step(`${host.name}: removing the member ${member.id} that a former join left`)
      recorder.record('Remove a member of etcd', (known) => known, {}, [
        { fact: 'member-removed', node: host.name, detail: { member: member.id } },
      ])
      await recorder.flush()
      await reach.removeMember(member.id, host.name)
    }
  }

  /** As many members as control planes, all of them voting and healthy. */
  async #members(names: readonly string[], progress: PhaseProgress): Promise<void> {
    const { reach, context } = this.#options
    const { clock, signal } = context
    await waitFor(
      'etcd to be healthy',
      async () => {
        try {
          const { members } = await reach.members()
          const reason = unhealthyMembers(members, names)
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
        withinMs: etcdWithinMs,
        onPending: (reason) => progress.step(reason),
        hint: 'Look at the log of etcd on the control planes (crictl logs), then run again.',
      },
    )
  }
}

/** Why etcd is not whole for these control planes; undefined where it is. */
export function unhealthyMembers(
  members: readonly EtcdMember[],
  names: readonly string[],
): string | undefined {
  const missing = names.find((name) => !members.some((member) => member.name === name))
  if (missing !== undefined) return `etcd has no member of ${missing}`
  const learner = members.find(({ isLearner }) => isLearner)
  if (learner) return `the member of ${learner.name || learner.id} has no vote yet`
  const silent = members.find(({ isHealthy }) => isHealthy === false)
  return silent && `the member of ${silent.name || silent.id} does not answer`
}

/** The spec as the cluster runs it: a host that joins gets its version, whatever the file asks for by now. */
export function specAsRunning(spec: HostsSpec, version: string): HostsSpec {
  return { ...spec, kubernetes: { ...spec.kubernetes, version } }
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

function otherMachine(name: string): ClusterError {
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

function noWayToVip(name: string, address: string): ClusterError {
  return new ClusterError('plan-refused', `${name} has no route to the virtual IP ${address}`, {
    operation: 'bring the virtual IP',
    target: name,
    hint: 'Name the interface under kubeadm.endpoint.virtualIp.interface, or give the hosts an address in its network.',
  })
}
