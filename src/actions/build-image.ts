import { buildImages } from '../commands/cluster/build-images.ts'
import { readClusterFileFrom } from '../run/read-cluster-file.ts'
import type { Action } from './action.ts'
import { refuseUntrustedEvent } from './refuse-untrusted-event.ts'

/** Makes sure that the snapshots exist from which the file's nodes are made. */
export const buildImage: Action = {
  inputs: ['config', 'hcloud-token', 'github-token'],
  outputs: ['amd64', 'arm64'],
  async main({ runner, context }) {
    refuseUntrustedEvent(runner.event, 'a build of images')
    const file = await readClusterFileFrom(runner.requiredInput('config'))
    const ids = await buildImages(context, { file })
    for (const [arch, id] of ids) runner.setOutput(arch, String(id))
    const rows = [...ids].map(([arch, id]) => `| ${arch} | ${id} |`)
    await runner.writeSummary(`### Images\n\n| | snapshot |\n| --- | --- |\n${rows.join('\n')}\n`)
  },
}
