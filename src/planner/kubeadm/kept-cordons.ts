import { openUpgrades } from '../open-upgrades.ts'
import { compareHosts } from './compare-hosts.ts'
import type { HostsView } from './hosts-view.ts'

/**
 * The nodes of hosts whose cordons of ours stay for now, by name, each with the reason: an upgrade of theirs was started
 * and is still wanted. Pure.
 */
export function keptCordons(view: HostsView): Map<string, string> {
  const { generation } = view
  if (!generation) return new Map()
  const names = compareHosts(view).versions.flatMap(({ after }) =>
    after?.kind === 'kubelet' || after?.kind === 'host' ? [after.name] : [],
  )
  return new Map(
    [...openUpgrades(generation.journal, names)].map(([name, version]) => {
      const reason = `its upgrade to ${version} was started; \`hcloud-talos upgrade\` continues with it`
      return [name, reason] as const
    }),
  )
}
