import { type Diagnosis, passed, problem } from '../../../run/diagnosis.ts'
import type { ReachableCluster } from '../../../run/hetzner-talos/cluster-reach.ts'

/** What became of the server that a node got its config on. */
export interface ServerFate {
  readonly name: string
  readonly role: 'control-plane' | 'worker'
  readonly fate: 'running' | 'off' | 'gone'
}

/** The servers of the nodes that the state knows, as Hetzner has them. Pure. */
export function diagnoseServers(view: ReachableCluster): Diagnosis[] {
  const fates = serverFates(view)
  const lost = fates.filter(({ fate }) => fate !== 'running')
  if (lost.length === 0) return fates.length === 0 ? [] : [passed('servers', allRun(fates.length))]
  return lost.map((one) => problem('servers', 'bad', describeFate(one), wayBack(view)))
}

/** Every node that was configured, with what became of its server. */
export function serverFates({ generation, hetzner }: ReachableCluster): ServerFate[] {
  const power = new Map(
    hetzner.records.flatMap(({ kind, name, spec }) =>
      kind === 'server' ? [[name, spec['power']] as const] : [],
    ),
  )
  return (generation?.inventory.nodes ?? [])
    .filter(({ configDigest }) => configDigest !== undefined)
    .map(({ name, role, serverId }) => {
      const isThere = hetzner.ids.get(`server/${name}`) === serverId
      const fate = !isThere ? 'gone' : power.get(name) === 'off' ? 'off' : 'running'
      return { name, role, fate }
    })
}

/**
 * An apply switches servers on and recreates those that are gone, as long as etcd has its quorum or gets it back by
 * that. Where it does not, what a survivor holds comes first; where nobody survived, a snapshot.
 */
export function wayBack(view: ReachableCluster): string {
  const fates = serverFates(view)
  const members = fates.filter(({ role }) => role === 'control-plane')
  const left = members.filter(({ fate }) => fate !== 'gone').length
  const hasData = view.generation?.inventory.bootstrapped ?? false
  if (!hasData || 2 * left > members.length) return 'hcloud-talos apply'
  return left > 0
    ? 'hcloud-talos snapshot survivor/'
    : 'hcloud-talos restore --snapshot <your newest snapshot>'
}

function describeFate({ name, fate, role }: ServerFate): string {
  const what = role === 'control-plane' ? `the control plane ${name}` : name
  return fate === 'gone' ? `the server of ${what} is gone` : `the server of ${what} is off`
}

function allRun(count: number): string {
  return count === 1 ? 'the one that was configured runs' : `all ${count} that were configured run`
}
