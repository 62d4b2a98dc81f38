import { isJsonObject } from '../lib/json.ts'
import { allocateNodes } from '../plan/allocate-nodes.ts'
import type { ClusterSpec, NodePool, Taint } from '../spec/cluster-spec.ts'
import { valueAt } from '../spec/yaml/value-at.ts'
import { publicConfig } from './config/config-digest.ts'
import { readTaints, registeredTaintsOf } from './config/registered-taints.ts'

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
    const given = documents.flatMap((document) => [
      ...registeredTaintsOf(document),
      ...(pool.role === 'control-plane'
        ? mapped(valueAt(document, ['machine', 'nodeTaints']))
        : []),
    ])
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

/** `key: [value:]Effect`. */
function mapped(taints: unknown): Taint[] {
  if (!isJsonObject(taints)) return []
  const listed = Object.entries(taints).map(([key, text]) => {
    const [effect = '', value] = String(text).split(':').toReversed()
    return { key, effect, ...(value !== undefined && { value }) }
  })
  return readTaints(listed)
}
