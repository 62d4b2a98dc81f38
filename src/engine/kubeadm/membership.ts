import { initScript, joinScript } from '../../kubeadm/acts/act-scripts.ts'
import { caCertHashes } from '../../kubeadm/config/ca-cert-hash.ts'
import { initFile } from '../../kubeadm/config/init-configuration.ts'
import { controlPlaneJoinFile, workerJoinFile } from '../../kubeadm/config/join-configuration.ts'
import { mintJoinMaterial } from '../../kubeadm/config/join-material.ts'
import { kubeVipManifest } from '../../kubeadm/config/kube-vip-manifest.ts'
import { kubernetesFolder } from '../../kubeadm/config/kubeadm-paths.ts'
import type { SeenHost } from '../../kubeadm/host/seen-host.ts'
import { deleteNode, getNode } from '../../kubernetes/nodes.ts'
import { waitForRegistration } from '../../kubernetes/wait-for-registration.ts'
import { ClusterError, isClusterError } from '../../lib/cluster-error.ts'
import { createLimit } from '../../lib/limit.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import { runningVersion } from '../../planner/kubeadm/running-version.ts'
import { reachedBy } from '../../run/kubeadm/observe-hosts.ts'
import type { HostSpec, HostsSpec } from '../../spec/hosts/hosts-spec.ts'
import { readFile } from '../../ssh/read-file.ts'
import { isMemberOf, removeEtcdMember, waitForMembers } from './etcd-members.ts'
import { type AdmissionOptions, HostAdmission, otherMachine } from './host-admission.ts'
import { JoinCredentials } from './join-credentials.ts'
import { runJob } from './run-job.ts'

/** How long the API may take to answer, in milliseconds. */
const apiWithinMs = 10 * 60_000
const readMs = 60_000
const mostCertificate = 64 * 1024

/** Makes hosts nodes of the cluster: the first by `kubeadm init`, all others by `kubeadm join`. */
export class Membership {
  readonly #options: AdmissionOptions
  readonly #credentials: JoinCredentials
  readonly #admission: HostAdmission
  /** etcd has one member more or less at a time. */
  readonly oneAtATime = createLimit(1)

  constructor(options: AdmissionOptions) {
    this.#options = options
    const { context, recorder, view, reach, hosts } = options
    this.#admission = new HostAdmission(options)
    this.#credentials = new JoinCredentials({
      context,
      spec: specAsRunning(view.spec, runningVersion(view.spec, recorder.inventory)),
      kubernetes: () => reach.kubernetes(apiWithinMs),
      executor: async () => {
        const { through } = await reach.members()
        return { host: hosts.wanted(through), remote: await hosts.remote(through) }
      },
    })
  }

  /**
   * Nobody joins with what this run minted any more; also after a run that failed, whose own signal is aborted. What went
   * wrong is what people must read: where it cannot be revoked now, it ends by itself within two hours.
   */
  async revokeCredentials(signal: AbortSignal): Promise<void> {
    const { reach, context } = this.#options
    try {
      await this.#credentials.revoke(reach.kubernetesOnce(signal))
    } catch (error) {
      if (!isClusterError(error)) throw error
      context.progress.warn(error.message)
    }
  }

  /**
   * Begins the cluster on a host. What a former run left half done is reset: it was marked as ours, and the cluster knows
   * no configuration yet, so that there is nobody to lose. PKI is never made where any host shows a cluster.
   */
  async init(host: HostSpec, progress: PhaseProgress): Promise<void> {
    const { hosts, view, context, recorder, reach } = this.#options
    const { spec } = view
    const { name } = host
    const remote = await hosts.remote(name)
    const found = await this.#admission.examine(host)
    await this.#admission.begin(host, found, progress)
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
    await this.#admission.joined(host, spec.kubernetes.version)
    await this.#writeKubeVip(host, found, 'after')
    await waitForMembers({ context, reach, progress })
  }

  /** Makes a host a node of the cluster that runs. */
  async join(host: HostSpec, progress: PhaseProgress): Promise<void> {
    const isControlPlane = host.role === 'control-plane'
    if (isControlPlane) return this.oneAtATime(() => this.#joinControlPlane(host, progress))
    const found = await this.#admission.examine(host)
    await this.#join(host, found, progress, async (spec, caCertHashes) => {
      const { token } = await this.#credentials.forWorker()
      return workerJoinFile(spec, host, { token, caCertHashes })
    })
  }

  async #joinControlPlane(host: HostSpec, progress: PhaseProgress): Promise<void> {
    const { hosts } = this.#options
    const { name } = host
    const found = await this.#admission.examine(host)
    await this.#dropUnstarted(host, progress)
    await this.#join(host, found, progress, async (spec, caCertHashes) => {
      const material = await this.#credentials.forControlPlane()
      return controlPlaneJoinFile(spec, host, { ...material, caCertHashes })
    })
    const { context, reach, session } = this.#options
    const known = hosts.known(name)
    const others = reach.controlPlanes.filter((one) => one.name !== name)
    reach.use([...others, reachedBy(session, known)])
    await waitForMembers({ context, reach, progress })
    await this.#writeKubeVip(host, found, 'after')
  }

  async #join(
    host: HostSpec,
    found: SeenHost,
    progress: PhaseProgress,
    fileFor: (spec: HostsSpec, caCertHashes: readonly string[]) => Promise<string>,
  ): Promise<void> {
    const { hosts, view, recorder, reach, context } = this.#options
    const { name } = host
    const remote = await hosts.remote(name)
    const kubernetes = await reach.kubernetes(apiWithinMs, (reason) => progress.step(reason))
    await this.#admission.begin(host, found, progress)
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
    await this.#admission.joined(host, version)
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
    await hosts.writeKubeVip(host.name, manifest)
  }

  /** A member that never started, or that is of this very host before its join, keeps etcd from taking another one. */
  async #dropUnstarted(host: HostSpec, progress: PhaseProgress): Promise<void> {
    const { reach, recorder } = this.#options
    const { members } = await reach.members()
    for (const member of members.filter((one) => one.name === '' || isMemberOf(one, host))) {
      await removeEtcdMember(member, host.name, { recorder, reach, progress })
    }
  }
}

/** The spec as the cluster runs it: a host that joins gets its version, whatever the file asks for by now. */
export function specAsRunning(spec: HostsSpec, version: string): HostsSpec {
  return { ...spec, kubernetes: { ...spec.kubernetes, version } }
}

function noWayToVip(name: string, address: string): ClusterError {
  return new ClusterError('plan-refused', `${name} has no route to the virtual IP ${address}`, {
    operation: 'bring the virtual IP',
    target: name,
    hint: 'Name the interface under kubeadm.endpoint.virtualIp.interface, or give the hosts an address in its network.',
  })
}
