// Writes where the suite is published into the workflows of documents and examples, which are written by hand.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { publishedAction, usesOf } from '../src/lib/published-action.ts'

const root = resolve(import.meta.dirname, '..')
const anySuite = /[\w<>.-]+\/hcloud-talos((?:\/[a-z][a-z-]*)*)@(v\d[\w.]*|<sha>)(?![\w.])/g

const files = [
  'README.md',
  'CONTRIBUTING.md',
  ...list('docs', '.md'),
  ...list('examples/workflows', '.yaml'),
]
for (const file of files) {
  const path = join(root, file)
  const text = readFileSync(path, 'utf8')
  const written = text.replaceAll(anySuite, (_, folder: string, ref: string) => {
    const action = ref === '<sha>' ? { ...publishedAction, ref } : publishedAction
    return usesOf(action, folder.slice(1))
  })
  if (written !== text) writeFileSync(path, written)
}

function list(folder: string, ending: string): string[] {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith(ending))
  return names.map((name) => `${folder}/${name}`)
}
