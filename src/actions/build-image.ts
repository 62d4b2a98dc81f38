import { buildImages } from '../commands/modes/hetzner-talos/build-images.ts'
import { readClusterFileFrom } from '../run/read-cluster-file.ts'
import { defineAction } from './action.ts'
import { commonInputs } from './cluster-inputs.ts'
import { refuseUntrustedEvent } from './refuse-untrusted-event.ts'

/** Makes sure that the snapshots exist from which the file's nodes are made. */
export const buildImage = defineAction({
  inputs: commonInputs,
  outputs: {
    amd64: 'Id of the snapshot for amd64, where the file has such nodes.',
    arm64: 'Id of the snapshot for arm64, where the file has such nodes.',
  },
  refuse: (event) => refuseUntrustedEvent(event, 'a build of images'),
  async main({ runner, context }, { config }) {
    const file = await readClusterFileFrom(config)
    const ids = await buildImages(context, { file })
    for (const [arch, id] of ids) runner.setOutput(arch, String(id))
    const rows = [...ids].map(([arch, id]) => `| ${arch} | ${id} |`)
    await runner.writeSummary(`### Images\n\n| | snapshot |\n| --- | --- |\n${rows.join('\n')}\n`)
  },
})
