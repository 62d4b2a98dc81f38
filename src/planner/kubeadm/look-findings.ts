import { knownNode, standingOf } from '../../kubeadm/cluster/found-cluster.ts'
import { failedChecks } from '../../kubeadm/host/failed-checks.ts'
import { hostsWithOneId } from '../../kubeadm/host/hosts-with-one-id.ts'
import type { SeenHost } from '../../kubeadm/host/seen-host.ts'
import type { Finding } from '../../lib/finding.ts'
import type { Change } from '../../plan/change.ts'
import { byName, foundIn } from './found-in-view.ts'
import { hostsFinding } from './hosts-finding.ts'
import type { HostsView } from './hosts-view.ts'

/** How far a clock may be off, in milliseconds. */
export const mostClockSkewMs = 2_000

/** What of the hosts themselves stands in the way of these changes, or is doubtful. */
export function lookFindings(
  view: HostsView,
  changes: readonly Change[],
  replace: readonly string[] = [],
): Finding[] {
  const seen = [...foundIn(view).hosts.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const changed = new Set(changes.flatMap(({ after, before }) => (after ?? before)?.name ?? []))
  return [
    ...unreachedFindings(view),
    ...twinFindings(seen),
    ...keyFindings(view),
    ...seen.flatMap((host) => [
      ...identityFindings(view, host, replace),
      ...clockFindings(host, changed.has(host.name)),
      ...(isWanted(view, host.name) ? checkFindings(host) : []),
    ]),
  ]
}

function isWanted({ spec }: HostsView, name: string): boolean {
  return spec.hosts.some((host) => host.name === name)
}

/** Before the cluster exists none may be missing: one that cannot be asked may have the keys of another one. */
function unreachedFindings(view: HostsView): Finding[] {
  const found = foundIn(view)
  const isRunning = found.inventory?.bootstrapped ?? false
  const looks = [...view.hosts.entries()]
    .toSorted(([a], [b]) => byName(a, b))
    .map(([, look]) => look)
  return looks.flatMap((look) => {
    if (look.kind === 'seen') return []
    const { name, because } = look
    if (isWanted(view, name)) {
      return isRunning
        ? hostsFinding(
            'warning',
            `${name} is not reached (${because}): nothing is known of it, and nothing is changed on it`,
            'Bring it back and run again; where it is gone for good, remove it from hosts.',
          )
        : hostsFinding(
            'error',
            `${name} is not reached (${because}): a cluster begins only when all of its hosts show that they are of no other one`,
            'Bring it back, or remove it from hosts for now.',
          )
    }
    const standing = standingOf(found, name)
    const onRemove = knownNode(found, name)?.host?.onRemove ?? 'keep'
    const stays = onRemove === 'keep' ? 'it stays as it is' : `${onRemove} is not done on it`
    if (standing === 'none') {
      return hostsFinding(
        'warning',
        `${name}, which is not in hosts any more, is not reached (${because}): ${stays}`,
        'Bring it back and run again, or leave it as it is.',
      )
    }
    const isReady = found.cluster?.nodes.some((node) => node.name === name && node.isReady) ?? false
    return isReady
      ? hostsFinding(
          'error',
          `${name}, which is not in hosts any more, is not reached (${because}), and its node is Ready: it would register itself again`,
          'Make it reachable by SSH, or switch it off, and run again.',
        )
      : hostsFinding(
          'warning',
          `${name}, which is not in hosts any more, is not reached (${because}): its node leaves without it, and ${stays}`,
          'Never start it again as it is: it has the keys of this cluster.',
        )
  })
}

function twinFindings(seen: readonly SeenHost[]): Finding[] {
  return hostsWithOneId(seen).map((names) =>
    hostsFinding(
      'error',
      `${names.join(' and ')} have one machine id: they are one host, or clones of one disk`,
      'Remove /etc/machine-id on all but one of them, run systemd-machine-id-setup there, and reboot.',
    ),
  )
}

/** A key that the file pins was proved by the connection; one that the state recorded must be the same. */
function keyFindings({ spec, generation, hosts }: HostsView): Finding[] {
  return spec.hosts.flatMap(({ name, login }) => {
    const look = hosts.get(name)
    const recorded = generation?.inventory.nodes.find((node) => node.name === name)?.host?.hostKey
    if (login.hostKey.type === 'pinned' || look?.kind !== 'seen' || recorded === undefined)
      return []
    if (look.hostKey === recorded) return []
    return [
      hostsFinding(
        'error',
        `${name} shows another host key than the one that was recorded: it was installed again, or somebody else answers`,
        `Compare it on the console of the host, and write it into the file as the hostKey of ${name}.`,
      ),
    ]
  })
}

function identityFindings(
  view: HostsView,
  { name, machineId }: SeenHost,
  replace: readonly string[],
): Finding[] {
  const recorded = knownNode(foundIn(view), name)?.host?.machineId
  if (recorded === undefined || machineId === '' || recorded === machineId) return []
  if (!isWanted(view, name)) {
    return [
      hostsFinding(
        'warning',
        `${name}, which is not in hosts any more, is another machine now: nothing is changed on it`,
        'Leave it as it is: only the node of the former machine goes.',
      ),
    ]
  }
  if (replace.includes(name)) return []
  return [
    hostsFinding(
      'error',
      `another machine is called ${name} than the one that the state knows (machine id ${machineId}, recorded is ${recorded})`,
      `Check its address; where it takes the place of the former one, replace it by name: --replace ${name}.`,
    ),
  ]
}

/** Certificates are dated back by a few minutes only, and leases by seconds. */
function clockFindings({ name, clockAheadMs }: SeenHost, isChanged: boolean): Finding[] {
  if (Math.abs(clockAheadMs) <= mostClockSkewMs) return []
  const seconds = (Math.abs(clockAheadMs) / 1_000).toFixed(1)
  const way = clockAheadMs > 0 ? 'ahead' : 'behind'
  return [
    hostsFinding(
      isChanged ? 'error' : 'warning',
      `the clock of ${name} is ${seconds} s ${way}`,
      'Let the host set its clock by NTP, and run again.',
    ),
  ]
}

function checkFindings({ name, evidence }: SeenHost): Finding[] {
  const { byPeople, unknown } = failedChecks(evidence)
  return [
    ...byPeople.map(({ check, words, seen }) =>
      hostsFinding(
        'error',
        `${name}: it is not so that ${words} (${check}): ${seen}`,
        'Fix that on the host, and run again: hcloud-talos does not do it.',
      ),
    ),
    ...unknown.map(({ check, seen }) =>
      hostsFinding(
        'warning',
        `${name}: nobody could see whether the check ${check} passes: ${seen}`,
        'Look at the host: what is unknown is left as it is.',
      ),
    ),
  ]
}
