import type { compareAddons } from '../../../commands/addons/compare-addons.ts'
import { describeRef } from '../../../lib/kubernetes-object.ts'
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
    if (json) {
      printJson(terminal, {
        addons: compared.map(({ name, wanted = null, installed = null, drifts }) => ({
          name,
          wanted,
          installed,
          objects: drifts.map(({ ref, type, paths, stays = false }) => ({
            apiVersion: ref.apiVersion,
            kind: ref.kind,
            namespace: ref.namespace ?? null,
            name: ref.name,
            change: changes[type],
            fields: [...paths],
            stays,
          })),
        })),
      })
    } else if (differing.length === 0) terminal.report('the addons are as the file asks for')
    else {
      terminal.print(`${differing.flatMap(linesOf).map(visibleLine).join('\n')}\n`)
    }
    return detailedExitcode && differing.length > 0 ? differs : 0
  },
})

type ComparedAddon = Awaited<ReturnType<typeof compareAddons>>[number]

const changes = { missing: 'create', changed: 'update', unwanted: 'delete' } as const
const signs = { missing: '+', changed: '~', unwanted: '-' } as const

function isDifferent({ wanted, drifts }: ComparedAddon): boolean {
  return wanted === undefined || drifts.length > 0
}

function linesOf({ name, wanted, installed, drifts }: ComparedAddon): string[] {
  const objects = drifts.map(({ ref, type, paths, stays }) => {
    const fields = paths.length > 0 ? `: ${paths.join(', ')}` : ''
    return `  ${signs[type]} ${describeRef(ref)}${fields}${stays ? ', which stays' : ''}`
  })
  return [`${name} ${titleOf(wanted, installed)}`, ...objects]
}

function titleOf(wanted: string | undefined, installed: string | undefined): string {
  if (wanted === undefined) return 'is removed'
  if (installed === undefined) return `${wanted} is installed`
  return installed === wanted ? wanted : `${installed} → ${wanted}`
}
