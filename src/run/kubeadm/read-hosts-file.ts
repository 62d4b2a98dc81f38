import { untestedFindings } from '../../addons/untested-findings.ts'
import { refuseErrors } from '../../lib/findings-error.ts'
import type { HostsSpec } from '../../spec/hosts/hosts-spec.ts'
import { loadHostsSpec } from '../../spec/hosts/load-hosts-spec.ts'
import { locateFindings } from '../../spec/yaml/locate-findings.ts'
import { unreadableText } from '../../spec/yaml/unreadable-text.ts'
import type { ClusterFile } from '../cluster-file.ts'
import type { ReadFile } from '../mode/cluster-mode.ts'

/** The name of this mode, as a run notes it for the step that closes it. */
export const kubeadmName = 'kubeadm'

/** Loads a cluster file of hosts. Throws a `FindingsError` (`spec-…`) with all that is wrong with it. */
export function readHostsFile(file: ClusterFile): ReadFile<HostsSpec> {
  const unreadable = unreadableText(file.text, file.path)
  const { spec, findings } = loadHostsSpec(file.text, file.path)
  refuseErrors(unreadable?.code ?? 'spec-invalid', findings, file.path)
  if (!spec) throw new Error('a file without errors gave no spec')
  const all = [...findings, ...locateFindings(file.text, untestedFindings(spec))]
  refuseErrors('spec-invalid', all, file.path)
  return { spec, findings: all }
}
