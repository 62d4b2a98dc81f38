import { ClusterError } from '../../lib/cluster-error.ts'
import { type Renewed, renewed } from '../../lib/renewed.ts'
import type { InventoryNode } from '../../plan/inventory.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import { clusterUnknown } from '../../run/cluster-unknown.ts'
import { ClusterReach } from '../../run/hetzner-talos/cluster-reach.ts'
import { openSession } from '../../run/hetzner-talos/cluster-session.ts'
import { observeCluster } from '../../run/hetzner-talos/observe-cluster.ts'
import { openTemporaryRule } from '../../run/hetzner-talos/temporary-rule.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import type { StateStore } from '../../store/state-store.ts'
import { retryingCaller } from '../../talos/api/retrying-caller.ts'
import { type TalosApi, talosApi } from '../../talos/api/talos-api.ts'
import type { TalosCaller } from '../../talos/api/talos-caller.ts'
import { TalosEndpoints } from '../../talos/api/talos-endpoints.ts'
import { viaNode } from '../../talos/api/via-node.ts'
import {
  mintTalosCredentials,
  type TalosCredentials,
  type TalosRole,
} from '../../talos/config/talosconfig.ts'
import { gatesUnderLock } from './gates-under-lock.ts'
import type { ReachedCluster, TalosTarget } from './reached-cluster.ts'

/** How long credentials are good for; what is followed for longer gets new ones. */
const credentialHours = 1

/**
 * Reaches the nodes of a cluster file's cluster: each at its own public address, one that has none
 * through the control planes, all through `endpoints` where those are given.
 */
export async function reachByState<T>(
  context: RunContext,
  target: TalosTarget & { readonly file: ClusterFile },
  use: (cluster: ReachedCluster) => Promise<T>,
): Promise<T> {
  await using session = await openSession(context, target.file)
  const view = await runPhase(context.progress, 'Look at what is there', () =>
    observeCluster(session.spec, session.store, session.hetzner),
  )
  if (!view.generation) throw clusterUnknown(session.spec, 'talk to')
  using reach = new ClusterReach(context, session.store, view)
  const known = view.generation.inventory.nodes.map((node) => ({
    ...node,
    publicIp: reach.addresses.factsOf(node.name)?.publicIp,
  }))
  const chosen = choose(known, target.nodes)
  const credentials = await minted(context, reach, target.role)
  await using _rule = await openTemporaryRule(context, view, session, {})
  using held = new DisposableStack()
  using ways = new Ways(context, credentials, known, target.endpoints)
  const asAdmin = await minted(context, reach, 'os:admin')
  using adminWays = new Ways(context, asAdmin, known, target.endpoints)
  const reached = (nodes: readonly KnownNode[]) =>
    nodes.map((node) => ({
      name: node.name,
      api: ways.to(node),
      asAdmin: () => adminWays.to(node),
      recorded: node,
    }))
  const isControlPlane = ({ role }: KnownNode) => role === 'control-plane'
  const [first, ...others] = reached(chosen.length > 0 ? chosen : known.filter(isControlPlane))
  if (!first) throw clusterUnknown(session.spec, 'talk to the control planes of')
  const privateIps = (nodes: readonly KnownNode[]) => nodes.map(({ privateIp }) => privateIp)
  return await use({
    gates: (names, verb) => gatesUnderLock(context, { session, looked: view, verb, held }, names),
    edit: (title, name, edit) => editNode(session.store, { title, name, edit }),
    nodes: reached(chosen.length > 0 ? chosen : known),
    controlPlanes: [first, ...others],
    named: reached(chosen),
    addresses: async () => ({
      controlPlanes: privateIps(known.filter(isControlPlane)),
      workers: privateIps(known.filter((node) => !isControlPlane(node))),
    }),
  })
}

async function editNode(
  store: StateStore,
  {
    title,
    name,
    edit,
  }: {
    readonly title: string
    readonly name: string
    readonly edit: (known: InventoryNode) => InventoryNode
  },
): Promise<void> {
  await store.update((newest) => {
    if (!newest) return {}
    const { inventory } = newest
    const nodes = inventory.nodes.map((node) => (node.name === name ? edit(node) : node))
    return { inventory: { ...inventory, nodes } }
  }, title)
}

interface KnownNode extends InventoryNode {
  readonly publicIp: string | undefined
}

/** The nodes of these names or addresses. Throws `usage` with the names that there are. */
function choose(known: readonly KnownNode[], wanted: readonly string[]): KnownNode[] {
  return wanted.map((text) => {
    const node = known.find(({ name, privateIp, publicIp }) =>
      [name, privateIp, publicIp].includes(text),
    )
    if (node) return node
    throw new ClusterError('usage', `${text} is no node of this cluster`, {
      hint: `Name one of: ${known.map(({ name }) => name).join(', ')}.`,
    })
  })
}

async function minted(
  { keys, calendar, random, redactor }: RunContext,
  reach: ClusterReach,
  role: TalosRole,
): Promise<Renewed<TalosCredentials>> {
  const secrets = await reach.secrets()
  return renewed({
    lifeMs: credentialHours * 3_600_000,
    clock: calendar,
    async mint() {
      const options = { roles: [role], hours: credentialHours }
      const credentials = await mintTalosCredentials(secrets, options, {
        keys,
        random,
        clock: calendar,
      })
      redactor.add(credentials.key)
      return credentials
    },
  })
}

/** The connections of one use, each made when it is first wanted. */
class Ways implements Disposable {
  readonly #context: RunContext
  readonly #credentials: Renewed<TalosCredentials>
  readonly #known: readonly KnownNode[]
  readonly #endpoints: readonly string[]
  readonly #open = new Map<string, TalosEndpoints>()

  constructor(
    context: RunContext,
    credentials: Renewed<TalosCredentials>,
    known: readonly KnownNode[],
    endpoints: readonly string[],
  ) {
    this.#context = context
    this.#credentials = credentials
    this.#known = known
    this.#endpoints = endpoints
  }

  to(node: KnownNode): TalosApi {
    const { clock, random, signal } = this.#context
    const caller = retryingCaller(this.#caller(node), { clock, random, signal })
    return talosApi(caller)
  }

  #caller({ name, publicIp, privateIp }: KnownNode): TalosCaller {
    if (this.#endpoints.length > 0) return viaNode(this.#connect(this.#endpoints, name), privateIp)
    if (publicIp !== undefined) return this.#connect([publicIp], name)
    const controlPlanes = this.#known.flatMap(({ role, publicIp: address }) =>
      role === 'control-plane' && address !== undefined ? [address] : [],
    )
    return viaNode(this.#connect(controlPlanes, name), privateIp)
  }

  #connect(addresses: readonly string[], name: string): TalosEndpoints {
    const [first, ...others] = addresses.map((address) => ({ address }))
    if (!first) {
      throw new ClusterError(
        'talos-unreachable',
        `there is no public address to reach ${name} by`,
        {
          hint: 'Run this from within the private network, with --endpoints.',
        },
      )
    }
    const key = addresses.join()
    const known = this.#open.get(key)
    if (known) return known
    const { signal } = this.#context
    const endpoints = new TalosEndpoints({
      endpoints: [first, ...others],
      credentials: this.#credentials,
      signal,
    })
    this.#open.set(key, endpoints)
    return endpoints
  }

  [Symbol.dispose](): void {
    for (const endpoints of this.#open.values()) endpoints[Symbol.dispose]()
  }
}
