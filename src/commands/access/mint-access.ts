import { dateOf } from '../../lib/ending.ts'
import { urlHost } from '../../lib/url-host.ts'
import { knownEndpointHost } from '../../plan/cluster-endpoint.ts'
import { refuseEnded } from '../../planner/hetzner-talos/refuse-ended.ts'
import { pendingRestore } from '../../planner/pending-restore.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import { clusterUnknown } from '../../run/cluster-unknown.ts'
import { ClusterReach, type ReachableCluster } from '../../run/hetzner-talos/cluster-reach.ts'
import { openSession, readClusterFile } from '../../run/hetzner-talos/cluster-session.ts'
import { observeCluster } from '../../run/hetzner-talos/observe-cluster.ts'
import {
  type HandedOut,
  isRecorded,
  lockForRecord,
  recordHandedOut,
  warnUnrecorded,
} from '../../run/hetzner-talos/record-handed-out.ts'
import { rememberedView } from '../../run/hetzner-talos/remembered-view.ts'
import { requireClock } from '../../run/hetzner-talos/require-clock.ts'
import { openStateStore } from '../../run/open-state-store.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import { type AuthorityField, bundleEnds } from '../../talos/config/authority-ends.ts'
import { mintKubeconfig } from '../../talos/config/kubeconfig.ts'
import type { SecretsBundle } from '../../talos/config/secrets-bundle.ts'
import {
  formatTalosconfig,
  mintTalosCredentials,
  type TalosRole,
} from '../../talos/config/talosconfig.ts'

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

/**
 * Mints a kubeconfig and a talosconfig from the secrets on the state branch. Nothing of them is stored
 * anywhere; of those that live long the journal notes when they end. Without a token for Hetzner the state is believed
 * as far as it is signed and nothing is written to it, and addresses are those that it remembers: a repository and an
 * age key are enough to come back into a cluster. Throws `cluster-unknown`, `certificate-ended`, `identity-missing`,
 * `state-undecryptable`.
 */
export function mintAccess(context: RunContext, input: AccessInput): Promise<MintedAccess> {
  return mint(context, input, {
    what: 'kubeconfig',
    authorities: ['cluster.ca.crt', 'machine.ca.crt'],
    make: async (mould) => ({
      kubeconfig: await makeKubeconfig(context, mould),
      talosconfig: await makeTalosconfig(context, mould),
    }),
  })
}

/** A talosconfig alone, which is good while nodes can be reached, whatever else of the cluster has ended. */
export function mintTalosconfig(context: RunContext, input: AccessInput): Promise<string> {
  return mint(context, input, {
    what: 'talosconfig',
    authorities: ['machine.ca.crt'],
    make: (mould) => makeTalosconfig(context, mould),
  })
}

/** What credentials are made from. */
interface Mould {
  readonly view: ReachableCluster
  readonly reach: ClusterReach
  readonly secrets: SecretsBundle
  readonly hours: number
  readonly role: TalosRole
}

interface Minting<Minted> {
  /** What people are given. */
  readonly what: HandedOut['what']
  /** Without which nobody accepts what is minted. */
  readonly authorities: readonly AuthorityField[]
  readonly make: (mould: Mould) => Promise<Minted>
}

async function mint<Minted>(
  context: RunContext,
  input: AccessInput,
  minting: Minting<Minted>,
): Promise<Minted> {
  if (!context.hetznerToken) return await mintFromState(context, input, minting)
  await using session = await openSession(context, input.file)
  // Before the state is looked at, as whoever writes it does: what is checked is then what is written upon.
  const isLocked = isRecorded(input.hours) && (await lockForRecord(context, session))
  const view = await runPhase(context.progress, 'Look at what is there', () =>
    observeCluster(session.spec, session.store, session.hetzner),
  )
  if (!view.generation) throw clusterUnknown(session.spec, 'mint credentials for')
  requireClock(context, session.hetzner)
  using reach = new ClusterReach(context, session.store, view)
  const { minted, until } = await mintFor(context, { view, reach }, input, minting)
  if (isLocked) {
    const { what } = minting
    const asked = { what, hours: String(input.hours), until }
    const role = what === 'talosconfig' && input.role !== undefined ? { role: input.role } : {}
    await recordHandedOut(context, session, view, { ...asked, ...role })
  }
  return minted
}

async function mintFromState<Minted>(
  context: RunContext,
  input: AccessInput,
  minting: Minting<Minted>,
): Promise<Minted> {
  const { spec } = readClusterFile(input.file)
  await using store = await openStateStore(context, spec)
  const { progress } = context
  const generation = await runPhase(progress, 'Read the state', () => store.read())
  if (!generation) throw clusterUnknown(spec, 'mint credentials for')
  progress.warn(
    'no token for Hetzner was given: addresses are those that the state remembers, and whether it is the newest state is not known',
  )
  const view = rememberedView(spec, generation)
  using reach = new ClusterReach(context, store, view)
  const { minted } = await mintFor(context, { view, reach }, input, minting)
  // What is written upon a state that may be an older one would make that the newest.
  if (isRecorded(input.hours)) {
    warnUnrecorded(
      context,
      'it is written to a state only that was compared with what Hetzner remembers: set HCLOUD_TOKEN',
    )
  }
  return minted
}

const hourMs = 3_600_000

async function mintFor<Minted>(
  context: RunContext,
  { view, reach }: Pick<Mould, 'view' | 'reach'>,
  { hours: wanted, role = 'os:admin' }: AccessInput,
  { authorities, make }: Minting<Minted>,
): Promise<{ readonly minted: Minted; readonly until: number }> {
  const { calendar, progress } = context
  const pending = pendingRestore(view.generation?.journal ?? [])
  if (pending) progress.warn(`${pending.says}; finish it with \`${pending.command}\``)
  const secrets = await reach.secrets()
  const now = calendar.now()
  refuseEnded(secrets, now, authorities)
  const ends = bundleEnds(secrets).filter(({ field }) => authorities.includes(field))
  const until = Math.min(...ends.map(({ notAfter }) => notAfter))
  if (until < now + wanted * hourMs) {
    progress.warn(
      `what is minted is good until ${dateOf(until)} only, when an authority of the cluster ends; \`hcloud-talos apply\` renews it`,
    )
  }
  // Nobody accepts it after that, whatever it says of itself.
  const hours = Math.min(wanted, (until - now) / hourMs)
  const minted = await make({ view, reach, secrets, hours, role })
  return { minted, until: now + hours * hourMs }
}

async function makeKubeconfig(
  { keys, calendar, random, redactor }: RunContext,
  { view, reach, secrets, hours }: Mould,
): Promise<string> {
  const { clusterName } = view.spec
  const server = `https://${urlHost(kubernetesHost(view, reach))}:6443`
  const environment = { keys, clock: calendar, random }
  const kubeconfig = await mintKubeconfig(secrets, { clusterName, server, hours }, environment)
  for (const [, key = ''] of kubeconfig.matchAll(/client-key-data: (\S+)/g)) redactor.add(key)
  return kubeconfig
}

async function makeTalosconfig(
  { keys, calendar, random, redactor }: RunContext,
  { view, reach, secrets, hours, role }: Mould,
): Promise<string> {
  const environment = { keys, clock: calendar, random }
  const credentials = await mintTalosCredentials(secrets, { roles: [role], hours }, environment)
  redactor.add(credentials.key)
  const endpoints = reach.controlPlanes().map(({ address }) => address)
  return formatTalosconfig(view.spec.clusterName, endpoints, credentials)
}

/**
 * Where people reach the Kubernetes API: the name that they gave it, the load balancer where it has a
 * public side, else a control plane's own address, which the firewall guards.
 */
function kubernetesHost(view: ReachableCluster, reach: ClusterReach): string {
  const { endpoint } = view.spec
  if (endpoint.type === 'dns') return endpoint.name
  const loadBalancer = reach.decidedAddresses().loadBalancerPublicIp
  const [first] = reach.controlPlanes()
  return loadBalancer ?? first?.address ?? knownEndpointHost(view.spec) ?? 'localhost'
}
