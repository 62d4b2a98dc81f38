import type { CheckContext, CheckFinding } from './spec-check.ts'
import { parseVersion, supportsKubernetes, talosRelease, talosReleases } from './version-matrix.ts'

const talosPath = ['talos', 'version']
const kubernetesPath = ['kubernetes', 'version']

/** Whether the Talos version is one that we know, and runs the Kubernetes version. */
export function checkVersions({ file }: CheckContext): CheckFinding[] {
  const talos = file.talos.version
  const release = talosRelease(talos)
  if (release === undefined) return [unknownTalos(talos)]
  return [...warnPreRelease(talos), ...checkKubernetes(talos, file.kubernetes.version)]
}

function unknownTalos(version: string): CheckFinding {
  const oldest = talosReleases[0]
  const newest = talosReleases.at(-1)
  const parsed = parseVersion(version)
  const isTooNew =
    parsed !== undefined &&
    newest !== undefined &&
    parsed.minor > Number(newest.minor.split('.')[1])
  return {
    severity: 'error',
    path: talosPath,
    message: `talos.version is ${version}, but Talos is supported from v${oldest?.minor} to v${newest?.minor}`,
    hint: isTooNew
      ? `Take ${newest?.newest}, or a newer version of hcloud-talos.`
      : `Take ${newest?.newest}; an older cluster is first brought to v${oldest?.minor} by hand.`,
  }
}

function warnPreRelease(version: string): CheckFinding[] {
  if (parseVersion(version)?.preRelease === undefined) return []
  return [
    {
      severity: 'warning',
      path: talosPath,
      message: `talos.version is ${version}, a pre-release`,
      hint: `The newest release of this line is ${talosRelease(version)?.newest}.`,
    },
  ]
}

function checkKubernetes(talos: string, kubernetes: string): CheckFinding[] {
  const release = talosRelease(talos)
  if (release === undefined || supportsKubernetes(talos, kubernetes)) return []
  const { minor, oldestKubernetes, newestKubernetes, defaultKubernetes } = release
  const fitting = talosReleases.filter(({ newest }) => supportsKubernetes(newest, kubernetes))
  const other = fitting[0]
  const alternative = other === undefined ? '' : `, or Talos ${other.newest} with ${kubernetes}`
  return [
    {
      severity: 'error',
      path: kubernetesPath,
      message: `kubernetes.version is ${kubernetes}, but Talos ${minor} runs Kubernetes ${oldestKubernetes} to ${newestKubernetes}`,
      hint: `Take ${defaultKubernetes}${alternative}.`,
      involves: [talosPath],
    },
  ]
}
