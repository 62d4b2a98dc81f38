import type { Finding } from '../../lib/finding.ts'
import type { Change } from '../../plan/change.ts'
import type { Inventory, InventoryNode } from '../../plan/inventory.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import { compareVersions, parseVersion } from '../../spec/tables/version-matrix.ts'
import { contractName, readsConfigsOf } from '../../talos/config/version-contract.ts'
import { specAsRunning } from '../../talos/desire.ts'
import { clusterContract, nodeContract } from '../../talos/kept-contract.ts'
import { patchFindings } from '../../talos/patch-findings.ts'
import type { ClusterView, RunningConfigs } from './cluster-view.ts'
import { bootNewer } from './report-rolled-back.ts'

interface Cluster extends Pick<ClusterView, 'spec'> {
  readonly generation: { readonly inventory: Inventory } | undefined
}

interface AskedCluster extends Cluster {
  /** Those that the file asks for. */
  readonly nodes: readonly { readonly name: string }[]
  readonly running?: Pick<RunningConfigs, 'versions'> | undefined
}

/** A node with its Talos, which cannot read the config that it is to have. */
interface Unready {
  readonly name: string
  /** What it runs, or is recorded with. */
  readonly talos: string
  readonly contract: string
  /** Whether it was upgraded and runs an older Talos nevertheless: somebody rolled it back. */
  readonly isRolledBack: boolean
}

/**
 * What forbids, or is doubtful in, moving the machine configs of a cluster to the contract that its file names: nodes
 * that could not read them, and going back. And what is wrong with the patches of a file that names none, where the
 * cluster keeps another one than the file was judged by.
 */
export function guardContract(view: AskedCluster, changes: readonly Change[]): Finding[] {
  return [...warnOfWayBack(view), ...guardReaders(view, changes), ...judgeKept(view.spec)]
}

function warnOfWayBack({ spec, generation }: Cluster): Finding[] {
  const from = clusterContract(generation?.inventory)
  const to = spec.talos.contract
  if (from === undefined || to === undefined || !isOlder(to, from)) return []
  return [
    finding(
      'warning',
      `the machine configs go back from the contract ${from} to ${to}`,
      `Write \`talos.contract: ${from}\` to keep what they have: nodes read both.`,
    ),
  ]
}

/** A node that runs an older Talos than its config is made for cannot read it, whoever gave it that Talos. */
function guardReaders(view: AskedCluster, changes: readonly Change[]): Finding[] {
  const from = clusterContract(view.generation?.inventory)
  if (from === undefined) return []
  const { contract: to = from } = view.spec.talos
  const unready = unreadyNodes(view, changes)
  const [first] = unready
  if (first === undefined) return []
  const more = unready.length === 1 ? 'runs' : `and ${unready.length - 1} more run`
  const what = isOlder(from, to)
    ? `cannot move from the contract ${from} to ${to} yet`
    : `cannot have the contract ${first.contract} everywhere`
  return [
    finding(
      'error',
      `the machine configs ${what}: ${first.name} ${more} Talos ${first.talos}, which cannot read them`,
      first.isRolledBack
        ? bootNewer(first.name)
        : `Write \`talos.contract: ${from}\`, run \`hcloud-talos upgrade\`, and change it then.`,
    ),
  ]
}

/** Of the nodes that stay and are given a config: by what they are recorded with, and by what they report to run. */
function unreadyNodes(view: AskedCluster, changes: readonly Change[]): Unready[] {
  const actions = new Map(changes.map(({ key, action }) => [key, action]))
  const wanted = new Set(view.nodes.map(({ name }) => name))
  return configured(view).flatMap((node) => {
    const action = actions.get(`node/${node.name}`)
    const stays = wanted.has(node.name) && (action === undefined || action === 'update')
    const unready = stays ? unreadyOf(view, node) : undefined
    if (!unready) return []
    return action === 'update' || nodeContract(node) !== unready.contract ? [unready] : []
  })
}

function unreadyOf(
  { spec, generation, running }: AskedCluster,
  node: InventoryNode,
): Unready | undefined {
  const { name, talosVersion } = node
  const from = clusterContract(generation?.inventory) ?? ''
  const { contract: to = from } = spec.talos
  const isMove = isOlder(from, to)
  // A move is refused as long as anything is recorded to be older: no node would get it in part.
  const contract = isMove ? to : contractName(specAsRunning(spec, node, generation?.inventory))
  if (talosVersion !== undefined && isOlder(talosVersion, contract)) {
    return { name, talos: talosVersion, contract, isRolledBack: false }
  }
  const reported = running?.versions?.get(name)
  const talos = reported?.isCurrent ? reported.talos : undefined
  if (talos === undefined || !isOlder(talos, contract)) return undefined
  // Not every contract is another shape: what is no move goes on where the node reads what it is given.
  if (!isMove && readsConfigsOf(talos, contract)) return undefined
  return { name, talos, contract, isRolledBack: true }
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
