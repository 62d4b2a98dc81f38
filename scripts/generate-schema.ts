// Writes the JSON Schema of the cluster file, for editors.
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { clusterFileJsonSchema } from '../src/spec/schema/file-shape.ts'

const target = fileURLToPath(new URL('../schema/cluster.schema.json', import.meta.url))
mkdirSync(fileURLToPath(new URL('../schema', import.meta.url)), { recursive: true })
writeFileSync(target, `${JSON.stringify(clusterFileJsonSchema(), null, 2)}\n`)
