// Writes what action.yml files say into the README's table, the reference page and each action's README.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { actionNames } from '../src/actions/action-table.ts'
import { actionReadme, actionsPage, actionsTable } from './action-docs.ts'
import { actionFolder, readActionFile } from './action-file.ts'
import { replaceBetween } from './replace-between.ts'

const root = resolve(import.meta.dirname, '..')
const actions = actionNames.map((name) => ({
  name,
  file: readActionFile(root, actionFolder(name)),
}))

const readme = join(root, 'README.md')
writeFileSync(
  readme,
  replaceBetween(readFileSync(readme, 'utf8'), 'actions', actionsTable(actions)),
)
mkdirSync(join(root, 'docs', 'reference'), { recursive: true })
writeFileSync(join(root, 'docs', 'reference', 'actions.md'), actionsPage(actions))
for (const action of actions) {
  writeFileSync(join(root, actionFolder(action.name), 'README.md'), actionReadme(action))
}
