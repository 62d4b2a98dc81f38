import { hostPhase } from '../../../kubeadm/host/host-phase.ts'
import type { SeenHost } from '../../../kubeadm/host/seen-host.ts'
import { heldChecks } from '../../../kubeadm/kinds/host/host-kind.ts'
import { byName, foundIn } from '../../../planner/kubeadm/found-in-view.ts'
import type { HostLook, HostsView } from '../../../planner/kubeadm/hosts-view.ts'
import { mostClockSkewMs } from '../../../planner/kubeadm/look-findings.ts'
import { type Diagnosis, passed, problem } from '../../../run/diagnosis.ts'

/** The hosts, as they were looked at: who is reached, how far each is prepared, and what of that fails. Pure. */
export function diagnoseHosts(view: HostsView): Diagnosis[] {
  const looks = [...view.hosts].toSorted(([a], [b]) => byName(a, b)).map(([, look]) => look)
  const found = looks.flatMap((look) =>
    look.kind === 'seen' ? seenFindings(view, look.host) : away(view, look),
  )
  if (found.length > 0) return found
  return looks.length === 0
    ? []
    : [passed('hosts', `all ${looks.length} are reached, and their checks pass`)]
}

/** The clock of each host beside that of this machine. Pure. */
export function diagnoseHostClocks(view: HostsView): Diagnosis[] {
  const seen = [...foundIn(view).hosts.values()]
  const wrong = seen.filter(({ clockAheadMs }) => Math.abs(clockAheadMs) > mostClockSkewMs)
  if (seen.length === 0) return []
  if (wrong.length === 0) return [passed('clock', 'it agrees with those of the hosts')]
  return wrong.map(({ name, clockAheadMs }) => {
    const seconds = (Math.abs(clockAheadMs) / 1_000).toFixed(1)
    const way = clockAheadMs > 0 ? 'ahead' : 'behind'
    return problem(
      'clock',
      'bad',
      `the clock of ${name} is ${seconds} s ${way}: certificates and leases go by it`,
      'Let the host set its clock by NTP: run `timedatectl set-ntp true` there.',
    )
  })
}

function away(
  { spec }: HostsView,
  { name, because }: Extract<HostLook, { kind: 'unreached' }>,
): Diagnosis[] {
  const isWanted = spec.hosts.some((host) => host.name === name)
  return [
    isWanted
      ? problem(
          'hosts',
          'bad',
          `${name} is not reached: ${because}`,
          'Bring it back; where it is gone for good, remove it from hosts and run `hcloud-talos apply`.',
        )
      : problem(
          'hosts',
          'weak',
          `${name}, which is not in hosts any more, is not reached: ${because}`,
          'Run `hcloud-talos apply`: its node leaves without it.',
        ),
  ]
}

/** Each check that fails, with what was seen; what waits for an upgrade is another look's. */
function seenFindings(view: HostsView, seen: SeenHost): Diagnosis[] {
  const { name, evidence } = seen
  if (!view.spec.hosts.some((host) => host.name === name)) return []
  const { byApply, byPeople, unknown } = heldChecks(seen, { spec: view.spec, found: foundIn(view) })
  const who = `${name} (${hostPhase(evidence)})`
  return [
    ...byApply.map(({ check, words, seen: text }) =>
      problem(
        'hosts',
        'bad',
        `${who}: it is not so that ${words} (${check}): ${text}`,
        'hcloud-talos apply',
      ),
    ),
    ...byPeople.map(({ check, words, seen: text }) =>
      problem(
        'hosts',
        'bad',
        `${who}: it is not so that ${words} (${check}): ${text}`,
        'Fix that on the host: hcloud-talos does not do it.',
      ),
    ),
    ...unknown.map(({ check, seen: text }) =>
      problem(
        'hosts',
        'unknown',
        `${who}: nobody could see whether the check ${check} passes: ${text}`,
        'Look at the host, then run `hcloud-talos doctor` again.',
      ),
    ),
  ]
}
