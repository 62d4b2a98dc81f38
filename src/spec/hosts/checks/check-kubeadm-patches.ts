import { parseDocument } from 'yaml'
import { formatPath } from '../../../lib/finding.ts'
import { isJsonObject } from '../../../lib/json.ts'
import type { CheckFinding } from '../../checks/spec-check.ts'
import { parseVersion } from '../../tables/version-matrix.ts'
import { type HostsCheckContext, hostsError } from './hosts-check.ts'

/** The minor whose kubeadm is the first that takes patches of CoreDNS. */
const firstWithCoreDns = 32

/** Patches of what kubeadm writes: of the form that their type asks for. */
export function checkKubeadmPatches({ file, spec }: HostsCheckContext): CheckFinding[] {
  const minor = parseVersion(file.kubernetes.version)?.minor ?? 0
  return spec.kubeadm.patches.flatMap(({ target, type, text }, index) => {
    const path = ['kubeadm', 'patches', index]
    const at = [...path, 'patch']
    if (target === 'corednsdeployment' && minor < firstWithCoreDns) {
      const message = `${formatPath(path)} patches CoreDNS, which kubeadm of Kubernetes 1.${minor} does not`
      const hint = 'Remove it.'
      const involves = [['kubernetes', 'version']]
      return [{ ...hostsError([...path, 'target'], message, hint), involves }]
    }
    const document = parseDocument(text, { logLevel: 'silent' })
    if (document.errors.length > 0) {
      const message = `${formatPath(at)} is not valid YAML`
      return [hostsError(at, message, 'Check its indentation, colons and quotes.')]
    }
    const value: unknown = document.toJS()
    const isList = Array.isArray(value)
    if (type === 'json' ? isList : isJsonObject(value)) return []
    const [form, hint] =
      type === 'json'
        ? ['no list of operations', 'Write operations with op, path and value, or another type.']
        : ['no mapping', 'Write a piece of the object, or type: json for operations.']
    return [
      { ...hostsError(at, `${formatPath(at)} is ${form}`, hint), involves: [[...path, 'type']] },
    ]
  })
}
