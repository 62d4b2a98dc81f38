import type { Finding } from '../../lib/finding.ts'
import type { Change } from '../../plan/change.ts'
import { isOlderVersion } from '../../spec/tables/version-matrix.ts'
import { type ClusterView, configuredNodes } from './cluster-view.ts'

/** Nodes that run an older Talos than they were given: somebody rolled them back, and the state does not know it. */
export function reportRolledBack(view: ClusterView, changes: readonly Change[]): Finding[] {
  const { versions } = view.running ?? {}
  const replaced = new Set<string>(
    changes.flatMap(({ key, action }) => (action === 'update' ? [] : [key])),
  )
  const known = new Map(view.generation?.inventory.nodes.map((node) => [node.name, node]))
  return configuredNodes(view).flatMap(({ name }): Finding[] => {
    const given = known.get(name)?.talosVersion
    const seen = versions?.get(name)
    const runs = seen?.isCurrent ? seen.talos : undefined
    if (!given || !runs || !isOlderVersion(runs, given) || replaced.has(`node/${name}`)) return []
    return [
      {
        severity: 'warning',
        path: ['talos', 'version'],
        message: `${name} runs Talos ${runs}, and was given ${given}: somebody rolled it back`,
        hint: bootNewer(name),
      },
    ]
  })
}

/** How a node that was rolled back comes to its newer Talos again. */
export function bootNewer(name: string): string {
  return `Run \`hcloud-talos talos rollback -n ${name}\`, which boots its newer Talos, or replace it with \`hcloud-talos apply --replace ${name}\`.`
}
