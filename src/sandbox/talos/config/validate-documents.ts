import { atLeast, type TalosVersion } from '../talos-version.ts'
import { textAt, valueAt } from './config-value.ts'
import type { ConfigDocuments } from './parse-config.ts'

/** Reports what is wrong with the documents besides the v1alpha1 one, and where the two contradict each other. */
export function validateDocuments(
  { v1alpha1, others }: ConfigDocuments,
  version: TalosVersion,
  report: (problem: string) => void,
): void {
  for (const document of others) {
    const kind = textAt(document, 'kind')
    const named = (problem: string) => report(`${kind}: ${problem}`)
    if (kind === 'HostnameConfig') validateHostname(document, v1alpha1, version, named)
    if (kind === 'NetworkDefaultActionConfig') {
      const ingress = textAt(document, 'ingress')
      if (ingress !== 'accept' && ingress !== 'block') named(`invalid action: "${ingress}"`)
    }
    if (
      kind === 'VolumeConfig' &&
      !['STATE', 'EPHEMERAL', 'IMAGECACHE'].includes(nameOf(document))
    ) {
      named(`"${nameOf(document)}" is not a system volume`)
    }
    if (kind === 'HCloudVIPConfig' && textAt(document, 'apiToken') === '') {
      named('apiToken must be specified')
    }
  }
}

/** Facts: Talos machinery 1.13.0; from 1.13.3 `auto: off` is enough by itself. */
function validateHostname(
  document: Record<string, unknown>,
  v1alpha1: unknown,
  version: TalosVersion,
  report: (problem: string) => void,
): void {
  const auto = textAt(document, 'auto') || undefined
  const hostname = textAt(document, 'hostname')
  const automatic = auto !== undefined && auto !== 'off'
  const offAlone = atLeast(version, 14) || (version.minor === 13 && version.patch >= 3)
  if (auto === 'off' && hostname === '' && !offAlone) {
    report("either 'auto' or 'hostname' must be set")
  }
  if (automatic && hostname !== '') {
    report("'auto' and 'hostname' cannot be set at the same time")
  }
  if (automatic && auto !== 'stable') report(`invalid value for 'auto': ${auto}`)
  if (hostname !== '' && !/^[^.]{1,63}(\.|$)/.test(hostname)) {
    report(`invalid hostname "${hostname}"`)
  }
  if (textAt(v1alpha1, 'machine.network.hostname') !== '') {
    report('static hostname is already set in v1alpha1 config')
  }
  if (valueAt(v1alpha1, 'machine.features.stableHostname') === true) {
    report('stable hostname is already set in v1alpha1 config')
  }
}

function nameOf(document: Record<string, unknown>): string {
  return textAt(document, 'name')
}
