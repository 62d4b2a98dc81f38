import { ClusterError } from '../../lib/cluster-error.ts'
import { parseVersion } from '../../spec/tables/version-matrix.ts'
import type { TalosApi } from '../../talos/api/talos-api.ts'
import { applyPatches, type ConfigPatch } from '../../talos/config/apply-patch.ts'
import type { ConfigDocument } from '../../talos/config/config-document.ts'
import { type ConfigDifference, diffConfigs } from '../../talos/config/diff-configs.ts'
import { componentProblems } from '../../talos/config/validate/component-problems.ts'
import { patchFaults } from '../../talos/config/validate/patch-steps.ts'
import { validateConfig } from '../../talos/config/validate/validate-config.ts'
import { formatYamlDocuments } from '../../talos/config/yaml-documents.ts'
import { parseMachineConfig, readRunningConfig } from '../../talos/running-config.ts'
import type { ReachedNode } from './reached-cluster.ts'
import { type TalosReport, tableOf } from './report.ts'

export interface PatchOptions {
  /** `staged` waits for the next boot. */
  readonly mode: 'no-reboot' | 'staged'
  /** Whether the node takes it; it says what it would make of it otherwise. */
  readonly dryRun: boolean
  /** Called right before the node is changed. */
  readonly requireLock?: (() => Promise<void>) | undefined
}

/**
 * Merges a patch into the machine config of one node, past the cluster file: the next plan tells it as drift. It is
 * judged first as a patch of the file is. Answers with the fields that differ, without their values. Throws
 * `spec-invalid` for a patch that does not fit, `talos-refused` for what takes a boot and is not to wait for it.
 */
export async function patchNode(
  { name, api }: ReachedNode,
  patch: ConfigPatch,
  { mode, dryRun, requireLock }: PatchOptions,
): Promise<TalosReport> {
  const base = await keptConfig(name, api)
  await judge(api, base, patch)
  const patched = applyPatches(base, [patch])
  const differences = diffConfigs(base, patched)
  if (mode === 'no-reboot') refuseBoot(name, differences)
  if (differences.length > 0) {
    if (!dryRun) await requireLock?.()
    await api.machine.applyConfiguration(formatYamlDocuments(patched), { mode, dryRun })
  }
  return tableOf(
    differences,
    [
      ['FIELD', (each) => each.path],
      ['TAKES', (each) => (mode === 'staged' ? 'the next boot' : each.effect)],
    ],
    ({ path, effect }) => ({ path, effect }),
  )
}

/** Throws `talos-refused` where another config waits for the next boot: a patch of one of them would undo the other. */
async function keptConfig(name: string, api: TalosApi): Promise<ConfigDocument[]> {
  const { active = '', persistent = '' } = (await readRunningConfig(api)) ?? {}
  const running = parseMachineConfig(active)
  if (diffConfigs(running, parseMachineConfig(persistent)).length === 0) return running
  throw new ClusterError(
    'talos-refused',
    `another machine config of ${name} waits for its next boot`,
    {
      operation: 'patch',
      target: name,
      hint: `Reboot it first (\`hcloud-talos talos reboot -n ${name}\`), or put it back by \`hcloud-talos apply\`.`,
    },
  )
}

async function judge(
  { machine }: TalosApi,
  base: readonly ConfigDocument[],
  patch: ConfigPatch,
): Promise<void> {
  const { version } = await machine.version()
  const { minor = 0, patch: release = 0 } = parseVersion(version?.tag ?? '') ?? {}
  const faults = patchFaults(base, [patch], (config) => [
    ...validateConfig(config, minor, release),
    ...componentProblems(config, minor),
  ]).filter(({ severity }) => severity === 'error')
  const [first] = faults
  if (!first) return
  const message = faults.map(({ place, message }) => [place.path.join('.'), message].join(' '))
  throw new ClusterError('spec-invalid', message.join('; '), {
    operation: 'patch',
    target: patch.source,
    hint: first.hint ?? 'Correct the patch; nothing was changed.',
  })
}

/** Not every node refuses by itself what it takes up with its next boot alone. */
function refuseBoot(name: string, differences: readonly ConfigDifference[]): void {
  const late = differences.filter(({ effect }) => effect === 'reboot' || effect === 'reinstall')
  if (late.length === 0) return
  throw new ClusterError(
    'talos-refused',
    `${name} takes up ${late.map(({ path }) => path).join(', ')} with a boot alone`,
    {
      operation: 'patch',
      target: name,
      hint: 'Give --staged, then `hcloud-talos talos reboot`.',
    },
  )
}
