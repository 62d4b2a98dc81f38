// Writes the reference page of the cluster file.
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { clusterFileJsonSchema } from '../src/spec/schema/file-shape.ts'
import { specReferencePage } from './spec-reference-page.ts'

const target = fileURLToPath(new URL('../docs/reference/cluster-file.md', import.meta.url))
mkdirSync(fileURLToPath(new URL('../docs/reference', import.meta.url)), { recursive: true })
writeFileSync(target, specReferencePage(clusterFileJsonSchema()))
