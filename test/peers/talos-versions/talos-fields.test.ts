import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { talosFieldsFile } from './talos-fields.ts'

const root = resolve(import.meta.dirname, '..', '..', '..')

test("the table of fields is what Talos's own types say: `npm run generate:talos-fields` changes nothing", async () => {
  const committed = readFileSync(resolve(root, 'src/talos/config/gen/talos-fields.ts'), 'utf8')
  expect(committed).toBe(await talosFieldsFile())
})
