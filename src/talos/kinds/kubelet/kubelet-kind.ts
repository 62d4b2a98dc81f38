import { recordKey } from '../../../plan/record.ts'
import { runningVersion } from '../../../plan/running-kubernetes.ts'
import { componentImages } from '../../config/component-images.ts'
import type { VersionedKind } from '../talos-kind.ts'

/** The kubelet of each node. */
export const kubeletKind: VersionedKind = {
  name: 'kubelet',
  comparedBy: 'upgrade',
  running: ({ nodes, from }) =>
    nodes.map((node) => ({
      name: node.name,
      version: runningVersion(node, 'kubelet') ?? from,
      turn: 'kubelets',
    })),
  reason: () => 'its kubelet restarts; pods continue to run',
  phase: 'none',
  upgrade: {
    phase: 'kubernetes',
    images({ spec, node, planned }) {
      const { kubelet: reference } = componentImages(spec, node)
      const isPlanned = planned.has(recordKey({ kind: 'kubelet', name: node.name }))
      return isPlanned && reference !== undefined ? [{ reference, store: 'services' }] : []
    },
  },
}
