import { isClusterError } from '../../lib/cluster-error.ts'
import type { InventoryNode } from '../../plan/inventory.ts'
import { findSchematic } from '../../talos/api/schematic.ts'
import type { ReachedCluster, ReachedNode } from './reached-cluster.ts'

/** The Talos that a node runs. */
export async function talosOf({ api }: ReachedNode): Promise<string> {
  const { version } = await api.machine.version()
  return version?.tag ?? ''
}

/**
 * Writes down which Talos a node runs after its rollback, so that the next plan shows that its upgrade is due. It is
 * done all the same where that fails: what a node reports is compared with the state.
 */
export async function recordRollback(
  { edit }: Pick<ReachedCluster, 'edit'>,
  node: ReachedNode,
  { before, report }: { readonly before: string; readonly report: (message: string) => void },
): Promise<void> {
  if (!edit) return
  try {
    const [talosVersion, schematic] = await Promise.all([talosOf(node), findSchematic(node.api)])
    await edit(`Roll ${node.name} back to Talos ${talosVersion}`, node.name, (known) =>
      rolledBack(known, { talosVersion, schematic, before }),
    )
  } catch (error) {
    if (!isClusterError(error)) throw error
    report(`${node.name}: which Talos it runs now was not written down: ${error.message}`)
  }
}

function rolledBack(
  known: InventoryNode,
  runs: {
    readonly talosVersion: string
    readonly schematic: string | undefined
    readonly before: string
  },
): InventoryNode {
  const { talosVersion, schematic = known.schematic, before } = runs
  return { ...known, talosVersion, schematic, formerTalosVersion: before, installing: undefined }
}
