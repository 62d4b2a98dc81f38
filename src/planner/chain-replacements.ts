import type { Change } from '../plan/change.ts'

/**
 * A server that waits for another to be replaced waits for the node on it too: until that one has
 * joined, the pool is short of it already.
 */
export function chainReplacements(changes: readonly Change[]): Change[] {
  const replaced = new Map(
    changes.flatMap(({ key, action, after }) =>
      action === 'replace' && after?.kind === 'server' ? [[key, after.name] as const] : [],
    ),
  )
  return changes.map((change) => {
    if (!replaced.has(change.key)) return change
    const nodes = change.needs.flatMap((need) => {
      const name = replaced.get(need)
      return name === undefined ? [] : [`node/${name}` as const]
    })
    return nodes.length === 0 ? change : { ...change, needs: [...change.needs, ...nodes] }
  })
}
