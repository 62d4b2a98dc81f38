// Writes the reference pages of the cluster file, one for each mode.
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { referencePages, specReferencePage } from './spec-reference-page.ts'

const folder = new URL('../docs/reference/', import.meta.url)
mkdirSync(fileURLToPath(folder), { recursive: true })
for (const page of referencePages) {
  writeFileSync(fileURLToPath(new URL(page.file, folder)), specReferencePage(page))
}
