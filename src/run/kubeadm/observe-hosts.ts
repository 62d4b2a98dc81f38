import { readConfiguration } from '../../kubeadm/cluster/read-configuration.ts'
import type { KubernetesClient } from '../../kubernetes/kubernetes-client.ts'
import { listNodes } from '../../kubernetes/nodes.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { JsonObject } from '../../lib/json.ts'
import { textAt } from '../../lib/kubernetes-object.ts'
import type { Inventory } from '../../plan/inventory.ts'
import { hostNodes } from '../../planner/kubeadm/host-nodes.ts'
import type { HostLook, HostsView, SeenCluster } from '../../planner/kubeadm/hosts-view.ts'
import { versionOfHost } from '../../planner/kubeadm/running-version.ts'
import type { NamedSecrets } from '../../spec/secret-reference.ts'
import { withSecretVersions } from '../../spec/secret-references.ts'
import { refuseOlder } from '../../store/trust/refuse-older.ts'
import { viewSecrets } from '../named-secrets.ts'
import { HostsReach, type ReachedControlPlane } from './hosts-reach.ts'
import type { HostsSession } from './hosts-session.ts'
import { type KnownHost, knownHosts } from './known-hosts.ts'
import { lookAtHost } from './look-at-host.ts'
import { refuseUnknownCluster } from './refuse-unknown-cluster.ts'

/** How long a host may take to answer while it is only looked at, in milliseconds of the wall's time. */
const answerWithinMs = 30_000
/** The same for the cluster. */
const clusterWithinMs = 45_000

/**
 * Reads the state branch, all hosts of the file and of the state, and their cluster; changes nothing. A host that does not
 * answer is part of the answer. Throws `state-missing` where a host is of a cluster of this name that the branch does not
 * know, and `state-rolled-back` where a host remembers a later generation.
 */
export async function observeHosts(
  session: HostsSession,
  environment: NamedSecrets = new Map(),
): Promise<HostsView> {
  const { store, spec } = session
  const generation = await store.read()
  const inventory = generation?.inventory
  const neighbours = generation ? undefined : await store.clusters()
  const known = knownHosts(spec, inventory)
  const looks = await lookAtHosts(session, known, inventory)
  for (const mark of marksOf(looks, inventory?.uid)) {
    if (generation) refuseOlder(generation, mark, 'a host remembers')
  }
  if (!generation) refuseUnknownCluster(spec, looks)
  const { secrets, versions } = await viewSecrets(spec, generation, { store, environment })
  const reached = await seeCluster(session, { known, looks, inventory })
  return {
    spec: withSecretVersions(spec, versions),
    secrets,
    generation,
    neighbours,
    hosts: looks,
    ...reached,
    nodes: hostNodes(spec, inventory),
  }
}

/** What each of these hosts says of itself, at once. Throws what people must know, such as another host key. */
export async function lookAtHosts(
  session: HostsSession,
  known: readonly KnownHost[],
  inventory: Inventory | undefined,
): Promise<ReadonlyMap<string, HostLook>> {
  const looks = await Promise.allSettled(
    known.map(async (host) => [host.name, await look(session, host, inventory)] as const),
  )
  // Nobody is asked any more when the first failure is thrown.
  return new Map(
    looks.map((one) => {
      if (one.status === 'rejected') throw one.reason
      return one.value
    }),
  )
}

async function look(
  { hosts, spec, tools: { calendar }, signal }: HostsSession,
  host: KnownHost,
  inventory: Inventory | undefined,
): Promise<HostLook> {
  const { name } = host
  const remote = await hosts.to(host)
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new ClusterError('ssh-failed', `no answer in ${answerWithinMs / 1_000} s`)),
    answerWithinMs,
  )
  try {
    await Promise.race([remote.connect(), late.promise])
    const version = versionOfHost(name, spec, inventory)
    const seen = await lookAtHost(remote, { spec, host, version, calendar })
    return { kind: 'seen', host: seen, hostKey: remote.host.hostKey.text ?? '' }
  } catch (error) {
    signal.throwIfAborted()
    // Another key, a login that is rejected, a wrong password: people must know, and nothing goes on without that.
    if (!(error instanceof ClusterError) || !isPassing(error)) throw error
    return { kind: 'unreached', name, because: error.message }
  } finally {
    clearTimeout(timer)
  }
}

/** Whether a host fails so that is off, starting or overloaded: nothing that people must know before anything else. */
export function isPassing({ code }: ClusterError): boolean {
  return passing.has(code)
}

const passing: ReadonlySet<string> = new Set([
  'ssh-failed',
  'ssh-interrupted',
  'script-timeout',
  'wait-timeout',
])

function marksOf(looks: ReadonlyMap<string, HostLook>, uid: string | undefined) {
  return [...looks.values()].flatMap((one) =>
    one.kind === 'seen' && one.host.mark?.uid === uid && one.host.mark ? [one.host.mark] : [],
  )
}

interface Found {
  readonly known: readonly KnownHost[]
  readonly looks: ReadonlyMap<string, HostLook>
  readonly inventory: Inventory | undefined
}

/** The cluster by its own control planes; nothing of it where there is none, and why where it does not answer. */
export async function seeCluster(
  session: HostsSession,
  { known, looks, inventory }: Found,
): Promise<Pick<HostsView, 'cluster' | 'unasked'>> {
  const controlPlanes = known.filter(({ name }) => isControlPlane(looks.get(name), inventory))
  if (controlPlanes.length > 0) return askThrough(session, controlPlanes, looks)
  if (!inventory?.bootstrapped) return { cluster: undefined }
  const isUnmarked = [...looks.values()].some((one) => lacksMark(one, inventory))
  return {
    cluster: undefined,
    unasked: isUnmarked
      ? 'its control planes are not marked as its own: an adoption was cut off, and `hcloud-talos adopt` ends it'
      : 'no control plane of it answers',
  }
}

/** The cluster by these control planes, whichever it is; why where none of them answers. */
export async function askThrough(
  session: HostsSession,
  controlPlanes: readonly KnownHost[],
  looks: ReadonlyMap<string, HostLook>,
): Promise<Pick<HostsView, 'cluster' | 'unasked'>> {
  const { tools, signal } = session
  using reach = new HostsReach({ ...tools, signal })
  reach.use(controlPlanes.map((host) => reachedBy(session, host)))
  const late = AbortSignal.timeout(clusterWithinMs)
  try {
    return { cluster: await askCluster(reach, looks, AbortSignal.any([signal, late])) }
  } catch (error) {
    signal.throwIfAborted()
    if (late.aborted) return { cluster: undefined, unasked: 'it took too long to answer' }
    if (error instanceof ClusterError) return { cluster: undefined, unasked: error.message }
    throw error
  }
}

/** One that kubeadm began to make, of this cluster as far as the state knows one. */
function isControlPlane(look: HostLook | undefined, inventory: Inventory | undefined): boolean {
  if (look?.kind !== 'seen' || inventory === undefined) return false
  const { mark, traces } = look.host
  if (!traces.hasAdminConf || mark?.uid !== inventory.uid || mark.hasLeft) return false
  return inventory.authority === undefined || inventory.authority === traces.caHash
}

/** A control plane of the cluster that nobody has marked yet. */
function lacksMark(look: HostLook, { authority }: Inventory): boolean {
  if (look.kind !== 'seen' || authority === undefined) return false
  const { mark, traces } = look.host
  return mark === undefined && traces.hasAdminConf && traces.caHash === authority
}

export function reachedBy(session: HostsSession, host: KnownHost): ReachedControlPlane {
  return { name: host.name, nodeIp: host.nodeIp, remote: () => session.hosts.to(host) }
}

/** A configuration that kubeadm keeps in the cluster. */
async function kept(
  kubernetes: KubernetesClient,
  name: string,
  key: string,
): Promise<JsonObject | undefined> {
  const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'kube-system', name }
  const map = await kubernetes.get(ref)
  const text = map && textAt(map, 'data', key)
  return text === undefined ? undefined : readConfiguration(text)
}

async function askCluster(
  reach: HostsReach,
  looks: ReadonlyMap<string, HostLook>,
  signal: AbortSignal,
): Promise<SeenCluster> {
  const { through, members } = await reach.members()
  const kubernetes = reach.kubernetesOnce(signal)
  const [nodes, configuration, kubeletConfiguration] = await Promise.all([
    listNodes(kubernetes),
    kept(kubernetes, 'kubeadm-config', 'ClusterConfiguration'),
    kept(kubernetes, 'kubelet-config', 'kubelet'),
  ])
  const look = looks.get(through)
  return {
    through,
    caHash: (look?.kind === 'seen' ? look.host.traces.caHash : undefined) ?? '',
    configuration,
    kubeletConfiguration,
    members,
    nodes: nodes.map((node) => ({
      name: node.name,
      isControlPlane: node.controlPlane,
      isReady: node.ready,
      notReadyBecause: node.notReadyBecause,
      kubeletVersion: node.kubeletVersion.replace(/^v/, ''),
      machineId: node.machineId,
      internalIp: node.internalIp,
      isCordoned: node.unschedulable,
      cordonedBy: node.cordonedBy,
      labels: node.labels,
      taints: node.taints.map(({ key, value, effect }) => ({
        key,
        ...(value !== undefined && { value }),
        effect,
      })),
    })),
  }
}
