import { runningRole } from '../../kubeadm/cluster/found-cluster.ts'
import { compareKubeadm, diffKubeadm } from '../../kubeadm/diff.ts'
import type { KubeadmRequest } from '../../kubeadm/kinds/kubeadm-kind.ts'
import type { Change } from '../../plan/change.ts'
import type { RecordKey } from '../../plan/record.ts'
import { byName } from './found-in-view.ts'

/** The order of kinds in an upgrade: each containerd runs every older Kubernetes, and no kubelet is newer than the API. */
const turns = ['host', 'kubernetes', 'kubelet']

/**
 * How the versions that hosts run differ from the spec's, in one line: containerd node by node; then the control planes,
 * by kubeadm; then the kubelets. Control planes go before workers. What else differs is left to an apply. Pure.
 */
export function compareVersions(request: KubeadmRequest): Change[] {
  const running = compareKubeadm({ ...request, goal: 'running' }).desired
  const wanted = compareKubeadm({ ...request, goal: 'spec' }).desired
  const changes = diffKubeadm(wanted, running, request).filter(({ action }) => action === 'update')
  const turnOf = ({ after }: Change) => turns.indexOf(after?.kind ?? '')
  const isWorker = ({ after }: Change) =>
    after && runningRole(request.found, after.name) === 'worker' ? 1 : 0
  const sorted = changes.toSorted(
    (a, b) => turnOf(a) - turnOf(b) || isWorker(a) - isWorker(b) || byName(a.key, b.key),
  )
  return sorted.map((change, index) => {
    const previous: RecordKey | undefined = sorted[index - 1]?.key
    return { ...change, needs: previous ? [previous] : [] }
  })
}
