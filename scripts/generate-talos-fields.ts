/**
 * Writes `src/talos/config/gen/talos-fields.ts`: what a machine config may hold, from Talos's own Go types.
 * Not a part of `npm run generate`, since it needs Go and one version of a module for each minor; test/peers holds the
 * file to what this writes.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { talosFieldsFile } from '../test/peers/talos-versions/talos-fields.ts'

const file = resolve(import.meta.dirname, '..', 'src', 'talos', 'config', 'gen', 'talos-fields.ts')
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, await talosFieldsFile())
