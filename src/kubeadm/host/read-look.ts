import { readConfiguration } from '../cluster/read-configuration.ts'
import { caCertHashes } from '../config/ca-cert-hash.ts'
import { readCertificates } from '../config/certificate.ts'
import { readMark } from './read-mark.ts'
import type { KubeadmTraces, SeenHost } from './seen-host.ts'

/** When a host was looked at by our own calendar, in milliseconds since the epoch. */
export interface LookTime {
  /** It had not read its clock before this. */
  readonly from: number
  /** It had read its clock by then. */
  readonly to: number
}

/** What `lookScript` printed, but for the evidence of the steps. */
export function readLook(stdout: string, time: LookTime): Omit<SeenHost, 'name' | 'evidence'> {
  const facts = readFacts(stdout)
  const one = (name: string) => facts.get(name)?.[0]
  const there = new Set(facts.get('there'))
  const [ca, mark] = [one('ca'), one('mark')]
  return {
    machineId: one('machine-id') ?? '',
    clockAheadMs: aheadOf(time, one('clock')),
    mark: mark === undefined ? undefined : readMark(fromBase64(mark)),
    traces: {
      caHash: ca === undefined ? undefined : caCertHashes(fromBase64(ca))[0],
      hasCaKey: there.has('pki/ca.key'),
      hasAdminConf: there.has('admin.conf'),
      hasKubeletConf: there.has('kubelet.conf'),
      hasEtcdData: there.has('etcd'),
      versions: {
        kubeadm: versionIn(one('version-kubeadm')),
        kubelet: versionIn(one('version-kubelet')),
        containerd: versionIn(one('version-containerd')),
      },
      arch: one('arch') === 'aarch64' ? 'arm64' : 'amd64',
      staticPods: readStaticPods(facts),
      kubeVipDigest: one('kube-vip'),
      patchesDigest: one('patches'),
      vipInterface: one('vip-interface'),
      holdsVip: there.has('vip'),
      certificatesEnd: firstEnd(facts.get('certificate')),
      authoritiesEnd: firstEnd(facts.get('authority')),
      hasFixedKubeletClient: there.has('fixed-kubelet-client'),
      kubelet: readKubelet(one('kubelet-config'), one('kubelet-flags')),
    },
  }
}

/** By how much it is wrong at least: a host that is slow to answer is no host whose clock is off. */
function aheadOf({ from, to }: LookTime, printed: string | undefined): number {
  const clock = Number(printed ?? from)
  if (clock < from) return clock - from
  return clock > to ? clock - to : 0
}

/** By name, each value that was printed under it. */
function readFacts(stdout: string): Map<string, string[]> {
  const facts = new Map<string, string[]>()
  for (const line of stdout.split('\n')) {
    const [mark, name, value] = line.split('\t')
    if (mark !== 'fact' || name === undefined || value === undefined) continue
    facts.set(name, [...(facts.get(name) ?? []), value])
  }
  return facts
}

const podPrefix = 'static-pod '

function readStaticPods(
  facts: ReadonlyMap<string, readonly string[]>,
): KubeadmTraces['staticPods'] {
  return Object.fromEntries(
    [...facts].flatMap(([name, [tag = '']]) =>
      name.startsWith(podPrefix) ? [[name.slice(podPrefix.length), tag.replace(/^v/, '')]] : [],
    ),
  )
}

function versionIn(text: string | undefined): string | undefined {
  return /\bv?(\d+\.\d+\.\d+(?:-[0-9a-z.]+)?)/.exec(text ?? '')?.[1]
}

/** One that cannot be read says nothing about the others. */
function firstEnd(encoded: readonly string[] = []): number | undefined {
  const ends = encoded.flatMap((text) => {
    try {
      return readCertificates(fromBase64(text)).map(({ notAfter }) => notAfter)
    } catch {
      return []
    }
  })
  return ends.length === 0 ? undefined : Math.min(...ends)
}

function readKubelet(
  config: string | undefined,
  flags: string | undefined,
): KubeadmTraces['kubelet'] {
  return {
    config: config === undefined ? undefined : readConfiguration(fromBase64(config)),
    flags: flags === undefined ? undefined : readFlags(fromBase64(flags)),
  }
}

/** `KUBELET_KUBEADM_ARGS="--node-ip=192.0.2.1 --v=2"`, as kubeadm writes it. */
function readFlags(text: string): Record<string, string> | undefined {
  const [, list] = /^KUBELET_KUBEADM_ARGS="?(.*?)"?\s*$/m.exec(text) ?? []
  if (list === undefined) return undefined
  const flags = list.replaceAll('\\"', '"').split(/\s+(?=--)/)
  return Object.fromEntries(
    flags.flatMap((flag) => {
      const [, name, value = 'true'] = /^--([^=\s]+)(?:=(.*))?$/s.exec(flag.trim()) ?? []
      return name === undefined ? [] : [[name, value] as const]
    }),
  )
}

function fromBase64(text: string): string {
  return atob(text)
}
