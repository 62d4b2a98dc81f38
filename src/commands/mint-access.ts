import { urlHost } from '../lib/url-host.ts'
import { runPhase } from '../phases/run-phase.ts'
import { knownEndpointHost } from '../plan/cluster-endpoint.ts'
import { mintKubeconfig } from '../talos/config/kubeconfig.ts'
import type { SecretsBundle } from '../talos/config/secrets-bundle.ts'
import {
  formatTalosconfig,
  mintTalosCredentials,
  type TalosRole,
} from '../talos/config/talosconfig.ts'
import { ClusterReach } from './cluster-reach.ts'
import {
  type ClusterFile,
  openSession,
  openStateStore,
  readClusterFile,
} from './cluster-session.ts'
import { clusterUnknown } from './cluster-unknown.ts'
import { type ClusterView, observeCluster } from './observe-cluster.ts'
import { readSecrets } from './read-secrets.ts'
import type { RunContext } from './run-context.ts'

export interface AccessInput {
  readonly file: ClusterFile
  /** How long the credentials are good for. */
  readonly hours: number
  /** Of the talosconfig. */
  readonly role?: TalosRole
}

export interface MintedAccess {
  /** Both are secrets: written to files that only their owner can read, never printed into a log. */
  readonly kubeconfig: string
  readonly talosconfig: string
}

/** What credentials are made from, and where they lead. */
interface AccessSource {
  readonly clusterName: string
  readonly secrets: SecretsBundle
  /** Addresses of control planes, as their servers have them. */
  readonly controlPlanes: readonly string[]
  readonly kubernetesHost: string
}

/**
 * Mints a kubeconfig and a talosconfig from the secrets on the state branch. Nothing of them is stored
 * anywhere. Without a token for Hetzner the state alone is asked, so that the repository and the identity are all
 * that it takes; whether that state is the newest is not known then, and told. Throws `cluster-unknown`,
 * `identity-missing`, `state-undecryptable`.
 */
export async function mintAccess(context: RunContext, input: AccessInput): Promise<MintedAccess> {
  return context.hetznerToken ? mintOnline(context, input) : mintOffline(context, input)
}

async function mintOnline(context: RunContext, input: AccessInput): Promise<MintedAccess> {
  await using session = await openSession(context, input.file)
  const view = await runPhase(context.progress, 'Look at what is there', () =>
    observeCluster(session.spec, session.store, session.hetzner),
  )
  if (!view.generation) throw clusterUnknown(session.spec, 'mint credentials for')
  using reach = new ClusterReach(context, session.store, view)
  const source = {
    clusterName: view.spec.clusterName,
    secrets: await reach.secrets(),
    controlPlanes: reach.controlPlanes().map(({ address }) => address),
    kubernetesHost: kubernetesHost(view, reach),
  }
  return await mintFor(context, source, input)
}

async function mintOffline(context: RunContext, input: AccessInput): Promise<MintedAccess> {
  const { spec } = readClusterFile(input.file)
  const { clusterName, endpoint } = spec
  const store = await openStateStore(context, spec)
  try {
    const generation = await runPhase(context.progress, 'Read the state branch', () => store.read())
    if (!generation) throw clusterUnknown(spec, 'mint credentials for')
    context.progress.warn(
      'no token for Hetzner: addresses are those that the state remembers, and nobody was asked whether it is the newest',
    )
    const controlPlanes = generation.inventory.nodes.flatMap(({ role, publicIp }) =>
      role === 'control-plane' && publicIp !== undefined ? [publicIp] : [],
    )
    const named = endpoint.type === 'dns' ? endpoint.name : controlPlanes[0]
    const source = {
      clusterName,
      secrets: await readSecrets(context, store, clusterName),
      controlPlanes,
      kubernetesHost: named ?? knownEndpointHost(spec) ?? 'localhost',
    }
    return await mintFor(context, source, input)
  } finally {
    await store.close()
  }
}

async function mintFor(
  { keys, calendar, random, redactor }: RunContext,
  { clusterName, secrets, controlPlanes, kubernetesHost: host }: AccessSource,
  { hours, role = 'os:admin' }: AccessInput,
): Promise<MintedAccess> {
  const environment = { keys, clock: calendar, random }
  const server = `https://${urlHost(host)}:6443`
  const kubeconfig = await mintKubeconfig(secrets, { clusterName, server, hours }, environment)
  const credentials = await mintTalosCredentials(secrets, { roles: [role], hours }, environment)
  redactor.add(credentials.key)
  for (const [, key = ''] of kubeconfig.matchAll(/client-key-data: (\S+)/g)) redactor.add(key)
  return { kubeconfig, talosconfig: formatTalosconfig(clusterName, controlPlanes, credentials) }
}

/**
 * Where people reach the Kubernetes API: the name that they gave it, the load balancer where it has a
 * public side, else a control plane's own address, which the firewall guards.
 */
function kubernetesHost(view: ClusterView, reach: ClusterReach): string {
  const { endpoint } = view.spec
  if (endpoint.type === 'dns') return endpoint.name
  const loadBalancer = reach.decidedAddresses().loadBalancerPublicIp
  const [first] = reach.controlPlanes()
  return loadBalancer ?? first?.address ?? knownEndpointHost(view.spec) ?? 'localhost'
}
