import { allocateNodes } from '../plan/allocate-nodes.ts'
import type { ClusterSpec, NodePool } from '../spec/cluster-spec.ts'
import { valueAt } from '../spec/yaml/value-at.ts'
import { publicConfig } from './config/config-digest.ts'
import { registeredTaintsOf, taintsOfMap } from './config/registered-taints.ts'
import { isReshaped } from './config/reshape/old-view.ts'

/**
 * The spec with the taints that patches alone give to its nodes: what runs there tolerates them like those of the
 * file. A control plane has them of `machine.nodeTaints` and of its kubelet, a worker of its kubelet alone. Patches
 * must fit.
 */
export function withPatchedTaints(spec: ClusterSpec): ClusterSpec {
  const { patches, controlPlanePatches, workerPatches } = spec.talos
  const pools = [spec.controlPlane, ...spec.workers]
  const all = [patches, controlPlanePatches, workerPatches, ...pools.map((pool) => pool.patches)]
  // Making a config takes a while, and most files have no taint in a patch.
  if (!all.flat().some((text) => /taint/i.test(text))) return spec
  const nodes = new Map(allocateNodes(spec, undefined).map((node) => [node.pool, node]))
  const withTaints = (pool: NodePool): NodePool => {
    const node = nodes.get(pool.name)
    if (node === undefined) return pool
    const documents = publicConfig(spec, node)
    const given = [
      ...registeredTaintsOf(documents),
      ...(pool.role === 'control-plane'
        ? documents.flatMap((document) => taintsOfMap(valueAt(document, ['machine', 'nodeTaints'])))
        : []),
    ].filter(({ key }) => key !== ofControlPlanes || !isReshaped(documents))
    const known = new Set(pool.taints.map(({ key, effect }) => `${key}:${effect}`))
    const more = given.filter(({ key, effect }) => !known.has(`${key}:${effect}`))
    return more.length === 0 ? pool : { ...pool, patchedTaints: more }
  }
  return {
    ...spec,
    controlPlane: withTaints(spec.controlPlane),
    workers: spec.workers.map(withTaints),
  }
}

/** Everything that is for control planes tolerates it, and in the documents of 1.14 it stands among the others. */
const ofControlPlanes = 'node-role.kubernetes.io/control-plane'
