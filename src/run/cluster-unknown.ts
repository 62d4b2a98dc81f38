import { ClusterError } from '../lib/cluster-error.ts'
import type { CommonSpec } from '../spec/common-spec.ts'

/** The way back to a state that is lost, the one that knows most first. */
export function lostState(clusterName: string, branch: string): string {
  return `Bring the state back before anything else, and do not apply: run \`hcloud-talos repair\` where the branch is there and the folder of the cluster is gone; else push the newest commit of it that a clone still has (\`git push origin <commit>:refs/heads/${branch}\`), or run \`hcloud-talos import --from ${clusterName}-recovery.tar.age\`, or, with no copy left, \`hcloud-talos recover\` (docs/disaster-recovery.md shows with what). Nothing of the project is to be removed for this.`
}

/** `cluster-unknown`: something was asked of a cluster that was never applied, or whose state is lost or elsewhere. */
export function clusterUnknown(
  { clusterName, state: { branch } }: CommonSpec,
  operation: string,
): ClusterError {
  return new ClusterError('cluster-unknown', `the branch ${branch} has no cluster ${clusterName}`, {
    operation,
    target: clusterName,
    hint: `Check clusterName, state.branch and the repository. If the cluster exists, its state is lost here. ${lostState(clusterName, branch)} Only if there never was such a cluster, apply the cluster file first.`,
  })
}
