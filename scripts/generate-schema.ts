// Writes the JSON Schema of the cluster file, for editors.
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { editorSchema } from './file-schemas.ts'

const target = fileURLToPath(new URL('../schema/cluster.schema.json', import.meta.url))
mkdirSync(fileURLToPath(new URL('../schema', import.meta.url)), { recursive: true })
writeFileSync(target, `${JSON.stringify(editorSchema(), null, 2)}\n`)
