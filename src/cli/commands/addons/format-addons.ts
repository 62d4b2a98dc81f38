import { stringify } from 'yaml'
import type { renderAddons } from '../../../commands/addons/render-addons.ts'

type ShownAddon = Awaited<ReturnType<typeof renderAddons>>[number]

/** Addons as one stream of YAML documents that kubectl reads, each with a comment that names its addon. */
export function formatAddons(addons: readonly ShownAddon[]): string {
  return addons.flatMap(documentsOf).join('')
}

function documentsOf({ name, version, objects, leftOut }: ShownAddon): string[] {
  const notRun = leftOut.map((hook) => `# hook that is not run: ${hook}\n`).join('')
  const texts = objects.map(
    (object) => `---\n# addon: ${name} (${version})\n${stringify(object, asKubectlReads)}`,
  )
  return notRun === '' ? texts : [...texts, `---\n# addon: ${name} (${version})\n${notRun}`]
}

/** Kubernetes reads YAML 1.1 in parts: a text such as `yes` or `0755` is quoted. */
const asKubectlReads = {
  version: '1.1',
  compat: 'core',
  lineWidth: 0,
  aliasDuplicateObjects: false,
} as const
