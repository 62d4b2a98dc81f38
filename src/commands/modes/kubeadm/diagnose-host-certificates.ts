import { endsSoonMs } from '../../../kubeadm/cluster/certificate-ends.ts'
import type { SeenHost } from '../../../kubeadm/host/seen-host.ts'
import { describeEnd, leadTimes } from '../../../lib/ending.ts'
import { byName, foundIn } from '../../../planner/kubeadm/found-in-view.ts'
import type { HostsView } from '../../../planner/kubeadm/hosts-view.ts'
import { type Diagnosis, passed, problem } from '../../../run/diagnosis.ts'

/** When the certificates that kubeadm made on the hosts end, and the authorities that signed them. Pure. */
export function diagnoseHostCertificates(view: HostsView, now: number): Diagnosis[] {
  const hosts = [...foundIn(view).hosts.values()].toSorted((a, b) => byName(a.name, b.name))
  const authority = Math.min(...hosts.flatMap(({ traces }) => traces.authoritiesEnd ?? []))
  const found = [
    ...authorityFinding(authority, now),
    ...hosts.flatMap((host) => [...certificateFinding(host, now), ...kubeletFinding(host)]),
  ]
  const own = hosts.flatMap(({ name, traces: { certificatesEnd: end } }) =>
    end === undefined ? [] : [{ name, end }],
  )
  const [first] = own.toSorted((a, b) => a.end - b.end)
  if (found.length > 0 || first === undefined) return found
  const message = `the first certificate to end is one of ${first.name}: it ${describeEnd(first.end, now)}`
  return [passed('certificates', message)]
}

function authorityFinding(end: number, now: number): Diagnosis[] {
  const left = end - now
  if (left >= leadTimes.authority) return []
  const verdict = left < leadTimes.authorityUrgent ? 'bad' : 'weak'
  const message = `the first authority of the cluster ${describeEnd(end, now)}, and with it every certificate that it issued; kubeadm does not renew it`
  return [
    problem(
      'certificates',
      verdict,
      message,
      'Make another cluster in time, and move to it what runs in this one.',
    ),
  ]
}

function certificateFinding({ name, traces }: SeenHost, now: number): Diagnosis[] {
  const { certificatesEnd: end } = traces
  if (end === undefined || end - now > endsSoonMs) return []
  const message = `the first certificate of ${name} ${describeEnd(end, now)}`
  return [problem('certificates', end <= now ? 'bad' : 'weak', message, 'hcloud-talos apply')]
}

function kubeletFinding({ name, traces: { hasFixedKubeletClient } }: SeenHost): Diagnosis[] {
  if (!hasFixedKubeletClient) return []
  return [
    problem(
      'certificates',
      'weak',
      `the kubelet of ${name} has a client certificate in its kubelet.conf, which it does not renew`,
      'Name /var/lib/kubelet/pki/kubelet-client-current.pem there as its certificate and key, and restart the kubelet.',
    ),
  ]
}
