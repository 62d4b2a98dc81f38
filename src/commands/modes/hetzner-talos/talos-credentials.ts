import { dateOf } from '../../../lib/ending.ts'
import { urlHost } from '../../../lib/url-host.ts'
import { knownEndpointHost } from '../../../plan/cluster-endpoint.ts'
import type { ClusterView } from '../../../planner/hetzner-talos/cluster-view.ts'
import { refuseEnded } from '../../../planner/hetzner-talos/refuse-ended.ts'
import { ClusterReach, type ReachableCluster } from '../../../run/hetzner-talos/cluster-reach.ts'
import type { ClusterSession } from '../../../run/hetzner-talos/cluster-session.ts'
import { rememberedView } from '../../../run/hetzner-talos/remembered-view.ts'
import type {
  AdminCredentials,
  CredentialMint,
  CredentialSource,
  MintedUntil,
} from '../../../run/mode/credential-mint.ts'
import type { RunContext } from '../../../run/run-context.ts'
import { type AuthorityField, bundleEnds } from '../../../talos/config/authority-ends.ts'
import { mintKubeconfig } from '../../../talos/config/kubeconfig.ts'
import type { SecretsBundle } from '../../../talos/config/secrets-bundle.ts'
import {
  formatTalosconfig,
  mintTalosCredentials,
  type TalosRole,
} from '../../../talos/config/talosconfig.ts'

/** A kubeconfig and a talosconfig, for the job's next steps or a person. */
export const adminCredentials: CredentialMint<ClusterSession, ClusterView, AdminCredentials> = {
  what: 'kubeconfig',
  mint: (context, source, hours) =>
    mint(context, source, {
      hours,
      role: 'os:admin',
      authorities: ['cluster.ca.crt', 'machine.ca.crt'],
      make: async (mould) => ({
        kubeconfig: await makeKubeconfig(context, mould),
        talosconfig: await makeTalosconfig(context, mould),
      }),
    }),
}

/** A talosconfig alone, which is good while nodes can be reached, whatever else of the cluster has ended. */
export function talosconfigOf(
  role: TalosRole | undefined,
): CredentialMint<ClusterSession, ClusterView, string> {
  return {
    what: 'talosconfig',
    role,
    mint: (context, source, hours) =>
      mint(context, source, {
        hours,
        role: role ?? 'os:admin',
        authorities: ['machine.ca.crt'],
        make: (mould) => makeTalosconfig(context, mould),
      }),
  }
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
  readonly hours: number
  readonly role: TalosRole
  /** Without which nobody accepts what is minted. */
  readonly authorities: readonly AuthorityField[]
  readonly make: (mould: Mould) => Promise<Minted>
}

const hourMs = 3_600_000

async function mint<Minted>(
  context: RunContext,
  { spec, store, generation, view: found }: CredentialSource<ClusterSession, ClusterView>,
  { hours: wanted, role, authorities, make }: Minting<Minted>,
): Promise<MintedUntil<Minted>> {
  const view = found ?? rememberedView(spec, generation)
  using reach = new ClusterReach(context, store, view)
  const secrets = await reach.secrets()
  const now = context.calendar.now()
  refuseEnded(secrets, now, authorities)
  const ends = bundleEnds(secrets).filter(({ field }) => authorities.includes(field))
  const until = Math.min(...ends.map(({ notAfter }) => notAfter))
  if (until < now + wanted * hourMs) {
    context.progress.warn(
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
