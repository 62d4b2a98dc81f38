import { listTemporaryRules } from '../../../hetzner/temporary-rules.ts'
import type { ClusterView } from '../../../planner/hetzner-talos/cluster-view.ts'
import { type Diagnosis, passed, problem } from '../../../run/diagnosis.ts'
import type { ClusterSession } from '../../../run/hetzner-talos/cluster-session.ts'
import type { RunContext } from '../../../run/run-context.ts'

/** Temporary firewall rules, and servers that build images, which runs left behind. */
export async function diagnoseAccess(
  { run: { isRunOver } }: RunContext,
  { spec: { clusterName }, hetzner }: ClusterSession,
  { generation, hetzner: { strays } }: ClusterView,
): Promise<Diagnosis[]> {
  const uid = generation?.inventory.uid
  if (uid === undefined) return []
  const isOver = async (run: string, attempt: number) => isRunOver?.({ run, attempt })
  const open = await listTemporaryRules(hetzner, { identity: { clusterName, uid }, isOver })
  const left = open.filter(({ isLeft }) => isLeft !== false)
  const found = [
    ...left.map(({ run, isLeft }) =>
      isLeft
        ? problem(
            'firewall',
            'bad',
            `the run ${run} has ended and left its temporary firewall rule open`,
            'hcloud-talos apply',
          )
        : problem(
            'firewall',
            'unknown',
            `a temporary firewall rule of the run ${run} is open, and whether that run is still going is not known`,
            'hcloud-talos apply',
          ),
    ),
    ...strays
      .filter(({ kind }) => kind === 'server')
      .map(({ name }) =>
        problem(
          'servers',
          'weak',
          `the server ${name}, which built an image, is still there`,
          'hcloud-talos apply',
        ),
      ),
  ]
  if (found.length > 0) return found
  return [
    passed(
      'firewall',
      open.length === 0
        ? 'no temporary rule is open'
        : 'the rules that are open are those of runs that go on',
    ),
  ]
}
