import { askNodes } from './ask-nodes.ts'
import { defineVerb } from './define-verb.ts'
import { storeSetting } from './verb-settings.ts'

export const listImages = defineVerb({
  name: 'image list',
  description: 'images that the nodes hold',
  prints: 'report',
  role: 'os:reader',
  takes: { store: storeSetting() },
  async run(parts, { store, output }) {
    const { imagesReport } = await import('../../../commands/talos/image-report.ts')
    await askNodes(parts, output, (api) => imagesReport(api, store))
  },
})
