import { argument } from '../../setting.ts'
import { askNodes } from './ask-nodes.ts'
import { defineVerb } from './define-verb.ts'
import { storeSetting } from './verb-settings.ts'

export const pullImage = defineVerb({
  name: 'image pull',
  description: 'have the nodes pull an image',
  prints: 'report',
  role: 'os:operator',
  takes: { store: storeSetting(), image: argument('<image>') },
  async run(parts, { image, store, output }) {
    const { pullReport } = await import('../../../commands/talos/image-report.ts')
    await askNodes(parts, output, (api) => pullReport(api, image, store))
  },
})
