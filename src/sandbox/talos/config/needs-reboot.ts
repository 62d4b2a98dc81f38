import type { Json } from '../../../lib/json.ts'
import { stableJson } from '../../stable-json.ts'
import { isRecord, valueAt } from './config-value.ts'
import type { ConfigDocuments } from './parse-config.ts'

/** Fields of `machine` that a running node takes up at once (facts: Talos 1.13's runtime). */
const liveFields = [
  'ca',
  'acceptedCAs',
  'time',
  'certSANs',
  'install',
  'network',
  'sysfs',
  'sysctls',
  'logging',
  'controlPlane',
  'kubelet',
  'kernel',
  'registries',
  'pods',
  'seccompProfiles',
  'nodeAnnotations',
  'nodeLabels',
  'nodeTaints',
]

const liveFeatures = [
  'kubernetesTalosAPIAccess',
  'kubePrism',
  'hostDNS',
  'imageCache',
  'nodeAddressSortAlgorithm',
]

/**
 * Whether a running node must reboot to take up this change of its config: anything in the v1alpha1
 * document but `debug`, `cluster` and the fields above. Other documents always apply live.
 */
export function needsReboot(current: ConfigDocuments, next: ConfigDocuments): boolean {
  return fixedPart(current) !== fixedPart(next)
}

function fixedPart({ v1alpha1 = {} }: ConfigDocuments): string {
  const { debug: _debug, cluster: _cluster, machine, ...rest } = v1alpha1
  const fixed = without(machine, liveFields)
  const features = without(valueAt(machine, 'features'), liveFeatures)
  return stableJson(toJson({ ...rest, machine: { ...fixed, features } }))
}

function without(value: unknown, names: readonly string[]): Record<string, unknown> {
  if (!isRecord(value)) return {}
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
}

function toJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value))
}
