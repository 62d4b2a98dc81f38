import { openUpgrades } from '../open-upgrades.ts'
import type { ClusterView } from './cluster-view.ts'
import { planUpgrade } from './plan-upgrade.ts'

/**
 * The nodes whose cordons of ours stay for now, by name, each with the reason: their removal was started, or an upgrade
 * of theirs that is still wanted. The journal has both from before the cordon. Pure.
 */
export function keptCordons(view: ClusterView, now: number): Map<string, string> {
  const { generation, hetzner } = view
  if (!generation) return new Map()
  const { inventory, journal } = generation
  const leaving = inventory.nodes
    .filter(
      ({ name, leavingServerId }) =>
        leavingServerId !== undefined && leavingServerId === hetzner.ids.get(`server/${name}`),
    )
    .map(({ name }) => [name, 'its removal was started'] as const)
  const wanted = new Set(
    planUpgrade(view, { now }).changes.flatMap(({ after }) =>
      after?.kind === 'node' ? [after.name] : [],
    ),
  )
  const names = inventory.nodes.map(({ name }) => name)
  const upgrading = [...openUpgrades(journal, names)]
    .filter(([name]) => wanted.has(name))
    .map(([name, version]) => {
      const reason = `its upgrade to Talos ${version} was started; \`hcloud-talos upgrade\` continues with it`
      return [name, reason] as const
    })
  return new Map([...upgrading, ...leaving])
}
