import type { Finding } from '../../lib/finding.ts'
import type { Change } from '../../plan/change.ts'
import type { InventoryNode } from '../../plan/inventory.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import { compareVersions, parseVersion } from '../../spec/tables/version-matrix.ts'
import { contractName } from '../../talos/config/version-contract.ts'
import { specAsRunning } from '../../talos/desire.ts'
import { clusterContract, nodeContract } from '../../talos/kept-contract.ts'
import { patchFindings } from '../../talos/patch-findings.ts'
import type { ClusterView } from './cluster-view.ts'

type Cluster = Pick<ClusterView, 'spec' | 'generation'>

/**
 * What forbids, or is doubtful in, moving the machine configs of a cluster to the contract that its file names: nodes
 * that could not read them, and going back. And what is wrong with the patches of a file that names none, where the
 * cluster keeps another one than the file was judged by.
 */
export function guardContract(view: Cluster): Finding[] {
  return [...guardMove(view), ...judgeKept(view.spec)]
}

function guardMove({ spec, generation }: Cluster): Finding[] {
  const from = clusterContract(generation?.inventory)
  const to = spec.talos.contract
  if (from === undefined || to === undefined) return []
  if (isOlder(to, from)) {
    return [
      finding(
        'warning',
        `the machine configs go back from the contract ${from} to ${to}`,
        `Write \`talos.contract: ${from}\` to keep what they have: nodes read both.`,
      ),
    ]
  }
  const older = configured({ generation }).filter(
    ({ talosVersion = to }) => isOlder(from, to) && isOlder(talosVersion, to),
  )
  const [first] = older
  if (first === undefined) return []
  const more = older.length === 1 ? 'runs' : `and ${older.length - 1} more run`
  return [
    finding(
      'error',
      `the machine configs cannot move from the contract ${from} to ${to} yet: ${first.name} ${more} Talos ${first.talosVersion}, which cannot read them`,
      `Write \`talos.contract: ${from}\`, run \`hcloud-talos upgrade\`, and change it then.`,
    ),
  ]
}

/**
 * A move is carried out by an apply, whose plan shows it: the config that an upgrade hands over must not bring it along,
 * and its patches must fit the contract that the cluster keeps.
 */
export function guardContractInUpgrade(view: Cluster, changes: readonly Change[]): Finding[] {
  const from = clusterContract(view.generation?.inventory)
  const to = view.spec.talos.contract
  if (changes.length === 0) return []
  // A move that was cut off goes on where the file names none, too.
  const isMoving = (to !== undefined && to !== from) || moving(view).length > 0
  if (!isMoving || from === undefined) return judgeKept(view.spec)
  return [
    finding(
      'error',
      to === undefined
        ? `the machine configs still move to the contract ${from}, which an upgrade does not do`
        : `talos.contract moves the machine configs from ${from} to ${to}, which an upgrade does not do`,
      `Apply first. Where nodes cannot read the new ones yet, write \`talos.contract: ${from}\` until the upgrade is done.`,
    ),
  ]
}

/** The move in a sentence, for the plan. */
export function contractNotes(view: Cluster): string[] {
  const nodes = moving(view)
  if (nodes.length === 0) return []
  const of = nodes.length === 1 ? 'one node' : `${nodes.length} nodes`
  return [
    `the machine configs of ${of} move to the contract ${contractName(view.spec)}, with the patches merged into their new shape; the cluster keeps it from then on, also where the file names none`,
  ]
}

/** The nodes whose configs get another contract. */
function moving({ spec, generation }: Cluster): InventoryNode[] {
  return configured({ generation }).filter((node) => {
    const wanted = contractName(specAsRunning(spec, node, generation?.inventory))
    return nodeContract(node) !== wanted
  })
}

/** A file that names no contract was judged by that of its Talos. */
function judgeKept(spec: ClusterSpec): Finding[] {
  const asWritten = { ...spec, keptContract: undefined }
  if (contractName(spec) === contractName(asWritten)) return []
  const known = new Set(patchFindings(asWritten).map(keyOf))
  return patchFindings(spec)
    .filter((one) => !known.has(keyOf(one)))
    .map(({ place: _place, ...rest }) => rest)
}

function keyOf({ path, message }: Finding): string {
  return JSON.stringify([path, message])
}

function configured({ generation }: Pick<Cluster, 'generation'>): InventoryNode[] {
  return (generation?.inventory.nodes ?? []).filter(
    ({ configDigest }) => configDigest !== undefined,
  )
}

/** Of a contract or a version, by its minor. */
function isOlder(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => parseVersion(text.replace(/^(v1\.\d+)\..*$/, '$1')))
  return a !== undefined && b !== undefined && compareVersions(a, b) < 0
}

function finding(severity: Finding['severity'], message: string, hint: string): Finding {
  return { severity, path: ['talos', 'contract'], message, hint }
}
