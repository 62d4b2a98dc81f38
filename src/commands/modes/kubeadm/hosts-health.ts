import { type ClusterError, isClusterError } from '../../../lib/cluster-error.ts'
import { handedOutEnds } from '../../../planner/handed-out.ts'
import { foundIn } from '../../../planner/kubeadm/found-in-view.ts'
import type { HostsView } from '../../../planner/kubeadm/hosts-view.ts'
import { keptCordons } from '../../../planner/kubeadm/kept-cordons.ts'
import { type Diagnosis, passed, problem } from '../../../run/diagnosis.ts'
import type { HostsSession } from '../../../run/kubeadm/hosts-session.ts'
import { knownHosts } from '../../../run/kubeadm/known-hosts.ts'
import { isPassing, reachedBy } from '../../../run/kubeadm/observe-hosts.ts'
import type { ClusterHealth, HealthLooks, SeenCluster } from '../../../run/mode/cluster-health.ts'
import { supportEnds } from '../../../spec/tables/support-windows.ts'
import type { Generation } from '../../../store/generation.ts'
import { diagnoseHostCertificates } from './diagnose-host-certificates.ts'
import { diagnoseHostEtcd } from './diagnose-host-etcd.ts'
import { diagnoseHostKubernetes } from './diagnose-host-kubernetes.ts'
import { diagnoseHostClocks, diagnoseHosts } from './diagnose-hosts.ts'

/** What a look at the hosts, and through them at their cluster, finds. It takes no key but that of SSH. */
export const hostsHealth: ClusterHealth<HostsSession, HostsView> = {
  provider: 'hosts',
  diagnoseProvider: (_context, session) => diagnoseLogins(session),
  lookAtState,
  lookAtMachines,
  unseen: problem(
    'hosts',
    'unknown',
    'the hosts, their cluster and the plan were not looked at, since a host or the state could not be asked',
    'Do first what is named above for the hosts and the state.',
  ),
  takesIdentity: false,
  lookInside,
}

/** Whether the file's logins are accepted. A host that is off is another look's, which knows what it was. */
async function diagnoseLogins(session: HostsSession): Promise<Diagnosis[]> {
  const hosts = knownHosts(session.spec, undefined)
  const answers = await Promise.all(
    hosts.map(async (host) => {
      try {
        await (await session.hosts.to(host)).connect()
        return { name: host.name }
      } catch (error) {
        session.signal.throwIfAborted()
        if (!isClusterError(error)) throw error
        return { name: host.name, error }
      }
    }),
  )
  const rejected = answers.flatMap(({ name, error }) =>
    error === undefined || isPassing(error) ? [] : [rejectedLogin(name, error)],
  )
  const accepted = answers.filter(({ error }) => error === undefined).length
  return rejected.length > 0
    ? rejected
    : [passed('hosts', `${accepted} of ${hosts.length} let this run log in`)]
}

function rejectedLogin(name: string, { code, message, hint }: ClusterError): Diagnosis {
  return problem('hosts', 'bad', `${name}: [${code}] ${message}`, hint ?? 'hcloud-talos plan')
}

async function lookAtState(
  { context, session: { spec }, look }: HealthLooks<HostsSession>,
  generation: Generation,
): Promise<Diagnosis[]> {
  const now = context.calendar.now()
  const parts = await Promise.all([
    look('certificates', 'Look when certificates end', async () =>
      handedOutEnds(generation, now).map(({ message, command }) =>
        problem('certificates', 'weak', message, command),
      ),
    ),
    look('journal', 'Look for joins and removals', async () => openMemberships(generation)),
    look('versions', 'Look what is supported', async () =>
      supportEnds(spec, now).map(({ message, hasSuccessor }) =>
        problem(
          'versions',
          'weak',
          message,
          hasSuccessor
            ? 'Write the next minor release into the file, and run `hcloud-talos upgrade`.'
            : 'Use a newer hcloud-talos: this one knows no newer minor release.',
        ),
      ),
    ),
  ])
  return parts.flat()
}

/** Joins and removals that were written down before they were started, and did not end. */
function openMemberships({ inventory }: Generation): Diagnosis[] {
  return inventory.nodes.flatMap(({ name, host }) => {
    const act = { joining: 'join', leaving: 'removal', member: undefined }[
      host?.membership ?? 'member'
    ]
    if (act === undefined) return []
    const message = `the ${act} of ${name} was started and did not end`
    return [problem('journal', 'bad', message, 'hcloud-talos apply')]
  })
}

async function lookAtMachines(
  { context, look }: HealthLooks<HostsSession>,
  view: HostsView,
): Promise<Diagnosis[]> {
  const now = context.calendar.now()
  const parts = await Promise.all([
    look('hosts', 'Look at the hosts', async () => diagnoseHosts(view)),
    look('clock', 'Look at the clocks of the hosts', async () => diagnoseHostClocks(view)),
    look('certificates', 'Look at the certificates on the hosts', async () =>
      diagnoseHostCertificates(view, now),
    ),
  ])
  return parts.flat()
}

async function lookInside(
  { context, session, look }: HealthLooks<HostsSession>,
  { observed: view }: SeenCluster<HostsView>,
): Promise<Diagnosis[]> {
  // That nothing was looked at then is said by `unseen`.
  if (!view?.generation?.inventory.bootstrapped) return []
  const { inventory } = view.generation
  const expected = inventory.nodes
    .filter(({ role, host }) => role === 'control-plane' && host?.membership === 'member')
    .map(({ name }) => name)
  const reached = foundIn(view).hosts
  const controlPlanes = knownHosts(view.spec, inventory)
    .filter(({ name }) => expected.includes(name) && reached.has(name))
    .map((host) => reachedBy(session, host))
  const kept = keptCordons(view)
  const parts = await Promise.all([
    look('etcd', 'Ask etcd', () => diagnoseHostEtcd(view, controlPlanes, expected)),
    look('kubernetes', 'Ask the API servers', () =>
      diagnoseHostKubernetes({ context, view, controlPlanes, kept }),
    ),
  ])
  return parts.flat()
}
