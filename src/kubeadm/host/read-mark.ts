import type { ClusterMark } from './seen-host.ts'

/** What nobody of us wrote is no mark: the host counts as one that we do not know. */
export function readMark(text: string): ClusterMark | undefined {
  try {
    const { cluster, uid, generation, keyEpoch, hasLeft } = JSON.parse(text)
    if (typeof cluster !== 'string' || typeof uid !== 'string') return undefined
    return {
      cluster,
      uid,
      generation: Number(generation),
      keyEpoch: Number(keyEpoch),
      hasLeft: hasLeft === true,
    }
  } catch {
    return undefined
  }
}
