import { isJsonObject, type Json } from '../../lib/json.ts'
import { kubeletConfig } from '../gen/kubernetes-settings.ts'
import { parseVersion } from '../tables/version-matrix.ts'
import { type SettingProblem, unknownName } from './component-settings.ts'

/** A field that is not known, with where it is: keys and indexes from the top of the configuration. */
export interface KubeletFieldProblem extends SettingProblem {
  readonly at: readonly (string | number)[]
}

/** Talos reads the kubelet's configuration into the types of the Kubernetes that came with it. */
const kubernetesBesideTalos = 23
const minors = { oldest: 9, newest: 14 }

/**
 * Fields of a further configuration of the kubelet that this Talos (with v) does not know: it then writes none
 * at all, and the kubelet continues with the former one, or never starts.
 */
export function kubeletFieldProblems(config: Json, talosVersion: string): KubeletFieldProblem[] {
  const talos = parseVersion(talosVersion)
  if (talos === undefined || talos.minor < minors.oldest) return []
  const number = Math.min(talos.minor, minors.newest) + kubernetesBesideTalos
  const isNewer = talos.minor > minors.newest
  return kubeletFields(config).flatMap(({ path, at }) =>
    unknownName(lead, 'extraConfig', path, kubeletConfig, { number, isNewer }).map((problem) => ({
      ...problem,
      at,
    })),
  )
}

const lead = "the kubelet's configuration has no field"

/** A field that is written: its name in the table, where it is, and what stands there. */
export interface KubeletField {
  readonly path: string
  readonly at: readonly (string | number)[]
  readonly value: Json
}

/** Every field that is written, but for those below one that is not known at all. */
export function kubeletFields(config: Json): KubeletField[] {
  return writtenFields(config, '', [])
}

function writtenFields(value: Json, path: string, at: KubeletField['at']): KubeletField[] {
  if (Array.isArray(value)) {
    return value.flatMap((each, index) => writtenFields(each, `${path}[]`, [...at, index]))
  }
  if (!isJsonObject(value) || !hasFields(path)) return []
  return Object.entries(value).flatMap(([key, each]) => {
    const here = { path: path === '' ? key : `${path}.${key}`, at: [...at, key], value: each }
    return [here, ...writtenFields(each, here.path, here.at)]
  })
}

/** Whether there are fields below a path; a mapping of free keys has none. */
function hasFields(path: string): boolean {
  return path === '' || Object.keys(kubeletConfig).some((each) => each.startsWith(`${path}.`))
}
