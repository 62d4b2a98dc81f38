import { isJsonObject } from '../../lib/json.ts'
import { given } from '../../lib/renewed.ts'
import type { RunContext } from '../../run/run-context.ts'
import { listResources } from '../../talos/api/resources.ts'
import { retryingCaller } from '../../talos/api/retrying-caller.ts'
import { talosApi } from '../../talos/api/talos-api.ts'
import type { TalosCaller } from '../../talos/api/talos-caller.ts'
import { TalosEndpoints } from '../../talos/api/talos-endpoints.ts'
import { viaNode } from '../../talos/api/via-node.ts'
import { parseTalosconfig } from '../../talos/config/parse-talosconfig.ts'
import type {
  ClusterAddresses,
  GivenTalosconfig,
  ReachedCluster,
  TalosTarget,
} from './reached-cluster.ts'

const members = { namespace: 'cluster', type: 'Members.cluster.talos.dev' }

/**
 * Reaches nodes as talosctl does: through the endpoints of a talosconfig's context, each node by its
 * address; without any, the endpoint that answers. Neither the state nor Hetzner is asked, and no firewall is
 * opened. Throws `talosconfig-invalid`.
 */
export async function reachByTalosconfig<T>(
  { clock, random, signal, redactor }: RunContext,
  { talosconfig, ...target }: TalosTarget & { readonly talosconfig: GivenTalosconfig },
  use: (cluster: ReachedCluster) => Promise<T>,
): Promise<T> {
  const { path, text, context } = talosconfig
  const { credentials, ...chosen } = parseTalosconfig(text, path, context)
  redactor.add(credentials.key)
  const [first = chosen.endpoints[0], ...others] =
    target.endpoints.length > 0 ? target.endpoints : chosen.endpoints
  const addresses = target.nodes.length > 0 ? target.nodes : chosen.nodes
  using caller = new TalosEndpoints({
    endpoints: [{ address: first }, ...others.map((address) => ({ address }))],
    credentials: given(credentials),
    signal,
  })
  const reach = (name: string, node: TalosCaller) => {
    const api = talosApi(retryingCaller(node, { clock, random, signal }))
    return { name, api, asAdmin: () => api }
  }
  const named = addresses.map((address) => reach(address, viaNode(caller, address)))
  const [one = reach(first, caller), ...more] = named
  return await use({
    nodes: [one, ...more],
    controlPlanes: [one, ...more],
    named: named,
    addresses: () => discover(caller),
  })
}

/** Who belongs to the cluster, as its discovery service knows it; of each the first address. */
async function discover(caller: TalosCaller): Promise<ClusterAddresses> {
  const found = (await listResources(caller, members)).flatMap(({ spec }) => {
    if (!isJsonObject(spec) || !Array.isArray(spec['addresses'])) return []
    const [address] = spec['addresses']
    return typeof address === 'string' ? [{ address, type: spec['machineType'] }] : []
  })
  const of = (isControlPlane: boolean) =>
    found
      .filter(({ type }) => (type === 'controlplane') === isControlPlane)
      .map(({ address }) => address)
  return { controlPlanes: of(true), workers: of(false) }
}
