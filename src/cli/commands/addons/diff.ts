import type { compareAddons } from '../../../commands/addons/compare-addons.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { describeRef, type ObjectRef } from '../../../lib/kubernetes-object.ts'
import { visibleLine } from '../../../lib/visible-text.ts'
import { clusterSettings } from '../../cluster-settings.ts'
import { defineCommand } from '../../command.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { flag, restArguments } from '../../setting.ts'
import { printJson } from '../../show-plan.ts'

/** Exit code of `--detailed-exitcode` when an apply would change something. */
const differs = 2

/** Prints what an apply would do with the objects of the addons. */
export const diffAddons = defineCommand({
  name: 'addons diff',
  description: 'show what an apply would do with the objects of the addons; changes nothing',
  examples: [
    { purpose: 'all of them', line: 'diff' },
    { purpose: 'one addon, for a script', line: 'diff cilium --detailed-exitcode' },
  ],
  takes: {
    ...clusterSettings(),
    names: restArguments('[names...]'),
    detailedExitcode: flag('--detailed-exitcode', 'exit with 2 when something differs'),
  },
  async run({ terminal, openContext }, { config, json, names, detailedExitcode }) {
    const use = await import('../../../commands/addons/compare-addons.ts')
    const file = await readCheckedFile(config)
    await using context = await openContext()
    const compared = await use.compareAddons(context, { file, names })
    const differing = compared.filter(isDifferent)
    const shown = compared.filter((addon) => isDifferent(addon) || addon.isLeft)
    if (json) printJson(terminal, { addons: compared.map(jsonOf) })
    else if (shown.length === 0) terminal.report('the addons are as the file asks for')
    else terminal.print(`${shown.flatMap(linesOf).map(visibleLine).join('\n')}\n`)
    return detailedExitcode && differing.length > 0 ? differs : 0
  },
})

type ComparedAddon = Awaited<ReturnType<typeof compareAddons>>[number]

const changes = { missing: 'create', changed: 'update', unwanted: 'delete' } as const
const signs = { missing: '+', changed: '~', unwanted: '-' } as const

/** Whether an apply would do something about it. */
function isDifferent({ isDue, isLeft, drifts }: ComparedAddon): boolean {
  return isDue || (drifts.length > 0 && !isLeft)
}

function jsonOf(addon: ComparedAddon): JsonObject {
  const { name, wanted = null, installed = null, isDue, isLeft, drifts, hooks } = addon
  return {
    name,
    wanted,
    installed,
    isDue,
    isLeft,
    objects: drifts.map(({ ref, type, paths, stays = false }) => ({
      ...objectOf(ref),
      change: changes[type],
      fields: [...paths],
      stays,
    })),
    hooks: hooks.map(objectOf),
  }
}

function objectOf({ apiVersion, kind, namespace, name }: ObjectRef): JsonObject {
  return { apiVersion, kind, namespace: namespace ?? null, name }
}

function linesOf({ name, wanted, installed, isLeft, drifts, hooks }: ComparedAddon): string[] {
  const objects = drifts.map(({ ref, type, paths, stays }) => {
    const fields = paths.length > 0 ? `: ${paths.join(', ')}` : ''
    return `  ${signs[type]} ${describeRef(ref)}${fields}${stays ? ', which stays' : ''}`
  })
  const run = hooks.map((ref) => `  > ${describeRef(ref)}, a hook, runs where it changed`)
  const left = isLeft ? ' stays as it is (policy.onAddonDrift)' : ''
  return [`${name} ${titleOf(wanted, installed)}${left}`, ...objects, ...run]
}

function titleOf(wanted: string | undefined, installed: string | undefined): string {
  if (wanted === undefined) return 'is removed'
  if (installed === undefined) return `${wanted} is installed`
  return installed === wanted ? wanted : `${installed} → ${wanted}`
}
