import { ClusterError } from '../lib/cluster-error.ts'
import { isJsonObject } from '../lib/json.ts'
import { findResource } from './api/resources.ts'
import type { TalosApi } from './api/talos-api.ts'
import type { ConfigDocument } from './config/config-document.ts'
import { parseConfigDocuments } from './config/config-documents.ts'
import { type ConfigDifference, diffConfigs } from './config/diff-configs.ts'

/** The machine configs of a node, as YAML texts with all of their secrets. */
export interface RunningConfig {
  /** In effect. */
  readonly active: string
  /** On its disk: another one where somebody staged it, or is trying one out. */
  readonly persistent: string
}

const type = { namespace: 'config', type: 'MachineConfigs.config.talos.dev' }

/**
 * Reads the configs of a configured node; needs the role os:admin. Undefined for a node that shows none.
 * Throws `talos-unreachable`, `talos-identity`, `talos-refused`.
 */
export async function readRunningConfig(
  api: Pick<TalosApi, 'resources'>,
): Promise<RunningConfig | undefined> {
  // The resource holds the config as one YAML text inside its own.
  const [active, persistent] = await Promise.all([
    findResource(api, type, 'v1alpha1'),
    findResource(api, type, 'persistent'),
  ])
  if (typeof active?.spec !== 'string' || active.spec === '') return undefined
  const kept = typeof persistent?.spec === 'string' ? persistent.spec : active.spec
  return { active: active.spec, persistent: kept }
}

/**
 * The fields in which what a node runs, or will run after its next boot, differs from a config. What only
 * its disk has otherwise is put back as it runs. Throws `talos-refused` for a config that is not YAML.
 */
export function diffRunningConfig(running: RunningConfig, wanted: string): ConfigDifference[] {
  if (running.active === wanted && running.persistent === wanted) return []
  const after = parseMachineConfig(wanted)
  const active = diffConfigs(parseMachineConfig(running.active), after)
  if (running.persistent === running.active) return active
  const known = new Set(active.map(({ path }) => path))
  const staged = diffConfigs(parseMachineConfig(running.persistent), after)
    .filter(({ path }) => !known.has(path))
    .map((difference): ConfigDifference => ({ ...difference, effect: 'live', restarts: [] }))
  return [...active, ...staged]
}

/** A machine config as documents; what is no mapping is left out. Throws `talos-refused` for what is not YAML. */
export function parseMachineConfig(text: string): ConfigDocument[] {
  try {
    return parseConfigDocuments(text).filter(isJsonObject)
  } catch (error) {
    throw new ClusterError('talos-refused', 'a machine config cannot be read', {
      operation: 'compare machine configs',
      cause: error,
    })
  }
}
