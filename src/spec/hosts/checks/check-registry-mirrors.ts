import { formatPath } from '../../../lib/finding.ts'
import { registryMirrorFindings } from '../../checks/registry-mirrors.ts'
import type { CheckFinding } from '../../checks/spec-check.ts'
import { quoteValue } from '../../quote-value.ts'
import { registryFolder } from '../registry-folder.ts'
import { type HostsCheckContext, hostsError } from './hosts-check.ts'

const path = ['kubeadm', 'registryMirrors']

/** Mirrors of registries, each of which containerd has a folder for. */
export function checkRegistryMirrors({ file }: HostsCheckContext): CheckFinding[] {
  const { registryMirrors } = file.kubeadm
  const findings = registryMirrorFindings(registryMirrors, path)
  const isNone = new Set(findings.filter(({ atKey }) => atKey).map(({ path }) => path.at(-1)))
  const without = Object.keys(registryMirrors).filter(
    (registry) => !isNone.has(registry) && registryFolder(registry) === undefined,
  )
  return [
    ...findings,
    ...without.map((registry) => ({
      ...hostsError(
        [...path, registry],
        `${formatPath(path)} has the key ${quoteValue(registry)}, for which containerd has no folder`,
        'Write a host name or an IPv4 address, with its port where it has one.',
      ),
      atKey: true,
    })),
  ]
}
