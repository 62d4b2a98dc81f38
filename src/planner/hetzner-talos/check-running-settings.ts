import type { Finding } from '../../lib/finding.ts'
import type { Change } from '../../plan/change.ts'
import { argumentFields } from '../../spec/argument-fields.ts'
import { settingProblems } from '../../spec/checks/component-settings.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import { settingFindings } from '../../talos/patch-findings.ts'

/**
 * Settings that an older Kubernetes does not know, where it still runs and waits for its upgrade: nodes get
 * what the file says with the version that they run, and a component that does not know it would not start.
 */
export function checkRunningSettings(
  spec: ClusterSpec,
  waiting: readonly Change[],
): readonly Finding[] {
  const running = new Set(
    waiting.flatMap(({ fields }) =>
      fields.flatMap(({ path, before }) => (path === 'version' ? [String(before)] : [])),
    ),
  )
  return [...running].flatMap((version) => unknownTo(version, spec))
}

function unknownTo(version: string, spec: ClusterSpec): Finding[] {
  const { kubernetes } = spec
  const ofFile = argumentFields.flatMap(({ component, field }) =>
    settingProblems(component, kubernetes[field], version).map(
      ({ argument, severity, message, hint }): Finding => ({
        severity,
        path: ['kubernetes', field, argument],
        message: `${message}, and ${version} still runs`,
        ...(hint !== undefined && { hint }),
      }),
    ),
  )
  const ofPatches = settingFindings({ ...spec, kubernetes: { ...kubernetes, version } })
  return [...ofFile, ...ofPatches.map(({ place: _place, ...finding }) => finding)]
}
