import type { Finding } from '../../lib/finding.ts'
import type { InventoryNode } from '../../plan/inventory.ts'
import { configuredVersion, runningVersion } from '../../plan/running-kubernetes.ts'
import { components } from '../../spec/component.ts'
import { isOlderVersion } from '../../spec/tables/version-matrix.ts'
import type { ClusterView } from './cluster-view.ts'

/** A version that a node runs, or may run. */
interface Found {
  readonly name: string
  readonly version: string
  /** Whether the node itself says so, and the state does not know it. */
  readonly byHand: boolean
}

/**
 * What forbids the file's versions because some node runs a newer one: neither Talos nor Kubernetes goes back. Judged
 * by the newest on any node, so that a cluster between two versions is judged as well; of Talos by the nodes that stay.
 * What only a node knows, since somebody upgraded it by hand, forbids what would change versions, and else is reported.
 */
export function guardDowngrades(
  { spec, generation, running }: ClusterView,
  staying: readonly InventoryNode[],
  { changesTalos, changesKubernetes }: { changesTalos: boolean; changesKubernetes: boolean },
): Finding[] {
  const seen = running?.versions
  const talos = staying.flatMap(({ name, talosVersion }) => [
    ...found(name, talosVersion),
    ...found(name, seen?.get(name)?.talos, true),
  ])
  const known = generation?.inventory.nodes.filter((node) => node.configDigest !== undefined) ?? []
  const kubernetes = known.flatMap((node) => [
    ...components.flatMap((component) => [
      ...found(node.name, configuredVersion(node, component)),
      ...found(node.name, runningVersion(node, component)),
    ]),
    ...found(node.name, seen?.get(node.name)?.kubelet, true),
  ])
  return [
    ...refuse('Talos', talos, spec.talos.version, changesTalos),
    ...refuse('Kubernetes', kubernetes, spec.kubernetes.version, changesKubernetes),
  ]
}

function found(name: string, version: string | undefined, byHand = false): Found[] {
  return version === undefined ? [] : [{ name, version, byHand }]
}

function refuse(
  software: 'Talos' | 'Kubernetes',
  all: readonly Found[],
  wanted: string,
  changes: boolean,
): Finding[] {
  const newer = all.filter(({ version }) => isOlderVersion(wanted, version))
  const recorded = newer.filter(({ byHand }) => !byHand)
  const [first, ...others] = recorded.length > 0 ? recorded : newer
  const newest = others.reduce(
    (best, each) => (best && isOlderVersion(best.version, each.version) ? each : best),
    first,
  )
  if (newest === undefined) return []
  const { name, byHand } = newest
  const version = software === 'Talos' ? newest.version : newest.version.replace(/^v/, '')
  const path = [software.toLowerCase(), 'version']
  const note = byHand ? ', which the state does not know' : ''
  return [
    {
      severity: byHand && !changes ? 'warning' : 'error',
      path,
      message: `${software} does not go back from ${version} to ${wanted}: ${name} runs ${version}${note}`,
      hint:
        software === 'Talos'
          ? `Write ${version} or a newer one; a single node comes to ${wanted} by being replaced: \`hcloud-talos apply --replace ${name}\`.`
          : `Write ${version} or a newer one: a newer API server may have stored what an older one cannot read.`,
    },
  ]
}
