import {
  isNewerKubernetesThanKnown,
  isNewerThanKnown,
  parseVersion,
  supportsKubernetes,
  talosRelease,
  talosReleases,
} from '../tables/version-matrix.ts'
import type { CheckContext, CheckFinding } from './spec-check.ts'

const talosPath = ['talos', 'version']
const kubernetesPath = ['kubernetes', 'version']
const policyPath = ['policy', 'unknownVersions']

/**
 * Whether the Talos version is one that we know, and runs the Kubernetes version. What came after the newest
 * known is an error, or a warning where `policy.unknownVersions` says so.
 */
export function checkVersions({ file }: CheckContext): CheckFinding[] {
  const talos = file.talos.version
  const mayBeNew = file.policy.unknownVersions === 'warn'
  const ofTalos =
    talosRelease(talos) === undefined ? [unknownTalos(talos, mayBeNew)] : warnPreRelease(talos)
  if (ofTalos.some(({ severity }) => severity === 'error')) return ofTalos
  return [...ofTalos, ...checkKubernetes(talos, file.kubernetes.version, mayBeNew)]
}

function unknownTalos(version: string, mayBeNew: boolean): CheckFinding {
  const [oldest, newest] = [talosReleases[0], talosReleases.at(-1)]
  const finding = { path: talosPath, involves: [policyPath] }
  if (isNewerThanKnown(version) && mayBeNew) {
    return {
      ...finding,
      severity: 'warning',
      message: `talos.version is ${version}, which this version of hcloud-talos does not know: it is treated like v${newest?.minor}`,
      hint: 'Try it on a cluster for tests first: what changed since is not checked.',
    }
  }
  const hint = isNewerThanKnown(version)
    ? `Take ${newest?.newest}, or a newer version of hcloud-talos; \`policy.unknownVersions: warn\` goes ahead at your own risk.`
    : `Take ${newest?.newest}; an older cluster is first brought to v${oldest?.minor} by hand.`
  const message = `talos.version is ${version}, but Talos is supported from v${oldest?.minor} to v${newest?.minor}`
  return { ...finding, severity: 'error', message, hint }
}

function warnPreRelease(version: string): CheckFinding[] {
  if (parseVersion(version)?.preRelease === undefined) return []
  return [
    {
      severity: 'warning',
      path: talosPath,
      message: `talos.version is ${version}, a pre-release`,
      hint: `Take ${talosRelease(version)?.newest}, the newest release of this line.`,
    },
  ]
}

function checkKubernetes(talos: string, kubernetes: string, mayBeNew: boolean): CheckFinding[] {
  if (supportsKubernetes(talos, kubernetes)) return []
  const finding = { path: kubernetesPath, involves: [talosPath, policyPath] }
  if (isNewerKubernetesThanKnown(kubernetes) && mayBeNew) {
    return [
      {
        ...finding,
        severity: 'warning',
        message: `kubernetes.version is ${kubernetes}, which no Talos that is known here runs`,
        hint: 'Try it on a cluster for tests first: nodes may refuse it, and its arguments are not checked.',
      },
    ]
  }
  return [{ ...finding, severity: 'error', ...misfit(talos, kubernetes) }]
}

function misfit(talos: string, kubernetes: string): { message: string; hint: string } {
  const release = talosRelease(talos)
  if (release === undefined) {
    return {
      message: `kubernetes.version is ${kubernetes}, which Talos ${talos} does not run, as far as is known`,
      hint: 'Take a Kubernetes that came out with it, or one of the five minors before.',
    }
  }
  const { minor, oldestKubernetes, newestKubernetes, defaultKubernetes } = release
  const other = talosReleases.find(({ newest }) => supportsKubernetes(newest, kubernetes))
  const alternative = other === undefined ? '' : `, or Talos ${other.newest} with ${kubernetes}`
  return {
    message: `kubernetes.version is ${kubernetes}, but Talos ${minor} runs Kubernetes ${oldestKubernetes} to ${newestKubernetes}`,
    hint: `Take ${defaultKubernetes}${alternative}.`,
  }
}
