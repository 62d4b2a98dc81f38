import { clusterSettings, yesSetting } from '../../cluster-settings.ts'
import { defineCommand } from '../../command.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { choices } from '../../setting.ts'
import { printJson } from '../../show-plan.ts'

/** Makes sure that the snapshots exist; prints their ids by architecture. */
export const buildImage = defineCommand({
  name: 'build-image',
  description: 'make sure that the Talos snapshots exist',
  examples: [
    { purpose: 'the images that the file needs', line: '' },
    { purpose: 'both architectures', line: '--arch amd64 arm64' },
  ],
  takes: {
    ...clusterSettings(),
    arch: choices('--arch <arch...>', 'architectures; those of the file when it is not given', [
      'amd64',
      'arm64',
    ]),
    yes: yesSetting(),
  },
  async run({ terminal, openContext }, { config, json, arch }) {
    const { buildImages } = await import('../../../commands/modes/hetzner-talos/build-images.ts')
    const file = await readCheckedFile(config)
    await using context = await openContext()
    const ids = await buildImages(context, { file, architectures: arch })
    if (json) printJson(terminal, Object.fromEntries(ids))
    else for (const [name, id] of ids) terminal.print(`${name}: snapshot ${id}\n`)
    return 0
  },
})
