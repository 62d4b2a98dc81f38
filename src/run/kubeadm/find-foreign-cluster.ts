import type { Finding } from '../../lib/finding.ts'
import { refuseErrors } from '../../lib/findings-error.ts'
import { describeAdoption } from '../../planner/kubeadm/describe-adoption.ts'
import { foundIn } from '../../planner/kubeadm/found-in-view.ts'
import { guardForeignCluster } from '../../planner/kubeadm/guard-foreign-cluster.ts'
import {
  authoritiesOf,
  guardForeignHosts,
  isControlPlane,
} from '../../planner/kubeadm/guard-foreign-hosts.ts'
import { hostNodes } from '../../planner/kubeadm/host-nodes.ts'
import type { HostsView } from '../../planner/kubeadm/hosts-view.ts'
import { firstInventory, recordHosts } from '../../planner/kubeadm/record-hosts.ts'
import { locateFindings } from '../../spec/yaml/locate-findings.ts'
import type { AdoptableCluster, AdoptedAs } from '../mode/cluster-adoption.ts'
import type { HostsSession } from './hosts-session.ts'
import { knownHosts } from './known-hosts.ts'
import { askThrough, lookAtHosts } from './observe-hosts.ts'

/**
 * A cluster that somebody made with kubeadm, by its hosts and by itself. All hosts of the file are reached, those that are
 * of a cluster have one authority, and the cluster answers and is as the file says in all that cannot change. Throws
 * `plan-refused` with everything that is not so.
 */
export async function findForeignCluster(
  session: HostsSession,
  { uid, generation }: AdoptedAs,
): Promise<AdoptableCluster<HostsView>> {
  const { spec, store } = session
  const known = knownHosts(spec, generation?.inventory)
  const hosts = await lookAtHosts(session, known, undefined)
  const bare: HostsView = {
    spec,
    generation: undefined,
    neighbours: generation ? undefined : await store.clusters(),
    hosts,
    cluster: undefined,
    nodes: hostNodes(spec, undefined),
  }
  const ofHosts = guardForeignHosts(bare, { uid, authority: generation?.inventory.authority })
  const seen = foundIn(bare).hosts
  const controlPlanes = known.filter(({ name }) => {
    const host = seen.get(name)
    return host !== undefined && isControlPlane(host)
  })
  // Which of two clusters is meant nobody knows, and without a control plane there is nobody to ask.
  const canAsk = controlPlanes.length > 0 && authoritiesOf([...seen.values()]).length === 1
  if (!canAsk) refuse(session, ofHosts)
  const view = { ...bare, ...(await askThrough(session, controlPlanes, hosts)) }
  const findings = [...ofHosts, ...guardForeignCluster(view)]
  refuse(session, findings)
  const { secrets, recipients } = generation?.inventory ?? {}
  const begun = {
    ...firstInventory(view, uid),
    ...(secrets && { secrets }),
    ...(recipients && { recipients }),
  }
  const recorded = recordHosts(begun, view)
  // A bare host of the file is nothing to be known: it joins as any new one does.
  const nodes = recorded.nodes.filter(({ host }) => host?.membership === 'member')
  const inventory = { ...recorded, nodes, bootstrapped: true }
  return { uid, view, inventory, shown: describeAdoption(view, inventory, findings) }
}

function refuse({ file }: HostsSession, findings: readonly Finding[]): void {
  refuseErrors('plan-refused', locateFindings(file.text, findings), file.path)
}
