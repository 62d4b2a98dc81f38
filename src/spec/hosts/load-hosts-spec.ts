import { type FileReading, type LoadedFile, loadFile } from '../load-file.ts'
import { modeOfFileFinding } from '../mode-of-file.ts'
import { hostsChecks } from './checks/hosts-checks.ts'
import type { HostsFile } from './hosts-file.ts'
import { hostsFileForm } from './hosts-form.ts'
import type { HostsSpec } from './hosts-spec.ts'
import { resolveHosts } from './resolve-hosts.ts'

const reading: FileReading<HostsFile, HostsSpec> = {
  form: hostsFileForm,
  refuse: (root) => modeOfFileFinding(root, 'hostsKubeadm'),
  resolve: resolveHosts,
  check: (file, spec) => hostsChecks.flatMap((check) => check({ file, spec })),
}

/** The spec that a cluster file of hosts means, or all that keeps it from meaning one. Never throws. */
export function loadHostsSpec(text: string, fileName?: string): LoadedFile<HostsSpec> {
  return loadFile(text, reading, fileName)
}
