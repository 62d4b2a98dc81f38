import type { Finding } from '../../lib/finding.ts'
import type { Change } from '../../plan/change.ts'
import { compareVersions, parseVersion, type Version } from '../../spec/tables/version-matrix.ts'
import { checkVersionJumps } from '../check-version-jumps.ts'
import type { HostsView } from './hosts-view.ts'

interface VersionFindings {
  /** What forbids the file's versions to an apply as well: some host runs a newer one. */
  readonly downgrades: readonly Finding[]
  /** Steps that are too wide. */
  readonly jumps: readonly Finding[]
}

/** Lines of containerd with long support, between which its makers let an upgrade go in one step. */
const longSupported = ['1.7', '2.3']

/** What forbids these changes of versions. Each is reported once, however many hosts it concerns. */
export function checkHostVersions(view: HostsView, versions: readonly Change[]): VersionFindings {
  const steps = versions.flatMap(({ key, after, fields }) =>
    fields
      .filter(({ path }) => path === 'version' || path === 'containerd')
      .map(({ path, before, after: wanted }) => ({
        who: after?.kind === 'kubernetes' ? 'the control plane' : key,
        software: path === 'containerd' ? ('containerd' as const) : ('Kubernetes' as const),
        from: String(before),
        to: String(wanted),
      })),
  )
  const back = firstOfEach(steps.filter(({ from, to }) => isOlder(to, from)))
  const jumps = [
    ...checkVersionJumps(versions),
    ...steps
      .filter(({ software, from, to }) => software === 'containerd' && isTooWide(from, to))
      .map(({ from, to }) => jumpOfContainerd(from, to)),
  ]
  return {
    downgrades: onceEach(
      back.map(({ who, software, from, to }) => goesBack(view, who, software, from, to)),
    ),
    jumps: onceEach(jumps),
  }
}

function goesBack(
  { spec }: HostsView,
  who: string,
  software: 'containerd' | 'Kubernetes',
  from: string,
  to: string,
): Finding {
  const path =
    software === 'Kubernetes' ? ['kubernetes', 'version'] : ['kubeadm', 'runtime', 'version']
  return {
    severity: 'error',
    path,
    message: `${software} of ${spec.clusterName} does not go back from ${from} to ${to}: ${who} runs ${from}`,
    hint: `Write ${from} or a newer one.`,
  }
}

/** One minor at a time, or from one line with long support to the next. */
function isTooWide(from: string, to: string): boolean {
  const [before, after] = [parseVersion(from), parseVersion(to)]
  if (before === undefined || after === undefined || compareVersions(after, before) <= 0)
    return false
  if (longSupported.includes(lineOf(before)) && longSupported.includes(lineOf(after))) return false
  // After 1.7 comes 2.0.
  const isNextMajor = before.major === 1 && before.minor === 7 && after.major === 2
  const minors = isNextMajor ? after.minor + 1 : after.minor - before.minor
  return (after.major !== before.major && !isNextMajor) || minors > 1
}

function jumpOfContainerd(from: string, to: string): Finding {
  const before = parseVersion(from)
  const next = before && (lineOf(before) === '1.7' ? '2.0' : `${before.major}.${before.minor + 1}`)
  return {
    severity: 'error',
    path: ['kubeadm', 'runtime', 'version'],
    message: `containerd goes up one minor release at a time, and ${from} to ${to} is more`,
    hint: `Upgrade to a release of ${next} first.`,
  }
}

function lineOf({ major, minor }: Version): string {
  return `${major}.${minor}`
}

function isOlder(one: string, other: string): boolean {
  const [a, b] = [parseVersion(one), parseVersion(other)]
  return a !== undefined && b !== undefined && compareVersions(a, b) < 0
}

/** One finding for each step back, however many hosts would make it. */
function firstOfEach<Step extends { software: string; from: string }>(
  steps: readonly Step[],
): Step[] {
  const keyOf = ({ software, from }: Step) => `${software} ${from}`
  return [...Map.groupBy(steps, keyOf).values()].flatMap(([first]) => first ?? [])
}

function onceEach(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [finding.message, finding])).values()]
}
