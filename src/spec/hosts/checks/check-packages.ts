import { formatPath } from '../../../lib/finding.ts'
import type { CheckFinding } from '../../checks/spec-check.ts'
import type { Path } from '../../yaml/yaml-source.ts'
import type { PackageFile } from '../hosts-spec.ts'
import { kubernetesFileNames, runtimeFileNames } from '../kubeadm-schema.ts'
import { type HostsCheckContext, hostsError } from './hosts-check.ts'

/** Files for hosts without repositories: one of each name for each architecture that any is for. */
export function checkPackages({ file }: HostsCheckContext): CheckFinding[] {
  const { packages, runtime } = file.kubeadm
  const { source } = runtime
  return [
    ...(packages.type === 'files'
      ? checkFiles(packages.files, kubernetesFileNames, ['kubeadm', 'packages', 'files'])
      : []),
    ...(source.type === 'files'
      ? checkFiles(source.files, runtimeFileNames, ['kubeadm', 'runtime', 'source', 'files'])
      : []),
  ]
}

function checkFiles(
  files: readonly PackageFile<string>[],
  names: readonly string[],
  path: Path,
): CheckFinding[] {
  const archs = [...new Set(files.map(({ arch }) => arch))].sort()
  const missing = archs.flatMap((arch) =>
    names
      .filter((name) => !files.some((file) => file.name === name && file.arch === arch))
      .map((name) => `${name} for ${arch}`),
  )
  const twins = files.flatMap(({ name, arch }, index) => {
    const first = files.findIndex((file) => file.name === name && file.arch === arch)
    if (first === index) return []
    const message = `${formatPath([...path, index])} is a second file of ${name} for ${arch}`
    return [hostsError([...path, index], message, 'Keep one of them.')]
  })
  if (missing.length === 0) return twins
  const message = `${formatPath(path)} has no ${missing.join(', no ')}`
  const involves = files.flatMap((_, index) =>
    ['name', 'arch'].map((field) => [...path, index, field]),
  )
  return [{ ...hostsError(path, message, 'Add each of them.'), atKey: true, involves }, ...twins]
}
