import { clusterSettings } from '../../cluster-settings.ts'
import { defineCommand } from '../../command.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { restArguments } from '../../setting.ts'
import { printJson } from '../../show-plan.ts'

/** Prints what an apply would install, as manifests. */
export const renderAddons = defineCommand({
  name: 'addons render',
  description: 'print the objects of the addons as an apply would make them, secrets hidden',
  examples: [
    { purpose: 'all that the file asks for', line: 'render' },
    { purpose: 'one addon', line: 'render cilium' },
  ],
  takes: { ...clusterSettings(), names: restArguments('[names...]') },
  async run({ terminal, openContext }, { config, json, names }) {
    const use = await import('../../../commands/addons/render-addons.ts')
    const file = await readCheckedFile(config)
    await using context = await openContext()
    const addons = await use.renderAddons(context, { file, names })
    if (json) {
      printJson(terminal, {
        addons: addons.map(({ name, version, objects, leftOut }) => ({
          name,
          version,
          objects: [...objects],
          hooksNotRun: [...leftOut],
        })),
      })
    } else if (addons.length === 0) terminal.report('the file asks for no addon')
    else {
      const { formatAddons } = await import('./format-addons.ts')
      terminal.print(formatAddons(addons))
    }
    return 0
  },
})
