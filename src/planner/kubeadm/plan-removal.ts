import type { Finding } from '../../lib/finding.ts'
import type { Change, Risk } from '../../plan/change.ts'
import type { InventoryHost, InventoryNode } from '../../plan/inventory.ts'
import { makePlan, type Plan } from '../../plan/plan.ts'
import { type ClusterRecord, recordKey } from '../../plan/record.ts'
import { byName, foundIn } from './found-in-view.ts'
import { hostsFinding } from './hosts-finding.ts'
import type { HostsView } from './hosts-view.ts'

/**
 * What a destroy does with hosts, each as it is wanted: those that the state knows, on the machines that it knows. The
 * cluster ends with them: workers go first, then one control plane after the other. Pure.
 */
export function planRemoval(view: HostsView): Plan {
  const inventory = view.generation?.inventory
  const nodes = (inventory?.nodes ?? []).toSorted((a, b) => byName(a.name, b.name))
  const judged = nodes.map((node) => ({ node, finding: whyLeftAlone(view, node) }))
  const going = judged.flatMap(({ node, finding }) => (finding === undefined ? [node] : []))
  const live = going.map((node) => toRecord(node, wayOut(view, node)))
  const workers = live.filter(({ spec }) => spec['role'] === 'worker')
  const controlPlanes = live.filter(({ spec }) => spec['role'] !== 'worker').toReversed()
  const changes = [
    ...workers.map((record) => toDelete(record, [])),
    ...controlPlanes.map((record, index) =>
      toDelete(record, [...workers, ...controlPlanes.slice(0, index)].map(recordKey)),
    ),
  ]
  return makePlan({
    clusterName: view.spec.clusterName,
    verb: 'destroy',
    changes,
    desired: [],
    live,
    findings: judged.flatMap(({ finding }) => finding ?? []),
    uid: inventory?.uid,
  })
}

/** By the file, and by the state for a host that has left it. */
function wayOut({ spec }: HostsView, { name, host }: InventoryNode): InventoryHost['onRemove'] {
  const inFile = spec.hosts.find((one) => one.name === name)
  return inFile?.onRemove ?? host?.onRemove ?? 'keep'
}

/** Nothing is undone on a machine that is not the one that joined, or that belongs to others by now. */
function whyLeftAlone(view: HostsView, { name, host }: InventoryNode): Finding | undefined {
  const look = view.hosts.get(name)
  if (look?.kind !== 'seen') {
    const because = look?.because ?? 'nobody looked'
    return hostsFinding(
      'warning',
      `${name} is not reached (${because}): nothing is undone on it, and it keeps the keys of the cluster`,
      'Bring it back and run destroy again, or erase it by hand.',
    )
  }
  const found = foundIn(view).hosts.get(name)
  if (host?.machineId !== undefined && found?.machineId !== host.machineId) {
    return hostsFinding(
      'warning',
      `${name} is another machine than the one that the state knows: nothing is changed on it`,
      'Leave it as it is.',
    )
  }
  const authority = view.generation?.inventory.authority
  const caHash = found?.traces.caHash
  if (caHash === undefined || authority === undefined || caHash === authority) return undefined
  return hostsFinding(
    'warning',
    `${name} is of another cluster by now (authority ${caHash}): nothing is changed on it`,
    'Leave it as it is.',
  )
}

function toRecord(
  { name, role }: InventoryNode,
  onRemove: InventoryHost['onRemove'],
): ClusterRecord {
  return { kind: 'host', name, spec: { role, onRemove }, needs: [] }
}

const meanings: Readonly<Record<InventoryHost['onRemove'], { risk: Risk; reason: string }>> = {
  keep: { risk: 'drain', reason: 'its node is stopped, and the host is left as it is' },
  reset: { risk: 'data-loss', reason: 'what kubeadm did on it is undone, with the data of etcd' },
  purge: {
    risk: 'data-loss',
    reason: 'it is reset, and packages of Kubernetes and containerd are removed with their data',
  },
}

function toDelete(before: ClusterRecord, follows: NonNullable<Change['follows']>): Change {
  const way = before.spec['onRemove']
  const meaning = way === 'purge' || way === 'reset' ? meanings[way] : meanings.keep
  return {
    key: recordKey(before),
    action: 'delete',
    before,
    after: undefined,
    fields: [],
    ...meaning,
    needs: [],
    follows,
  }
}
