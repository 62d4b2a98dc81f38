/**
 * Writes `src/spec/gen/kubernetes-settings.ts`: the flags, feature gates and admission plugins of each minor
 * of Kubernetes, from its own sources. Not a part of `npm run generate`, since it needs Go and eleven releases
 * of nine modules; test/peers holds the file to what this writes.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { kubernetesSettingsFile } from '../test/peers/kubernetes-versions/kubernetes-settings.ts'

const file = resolve(import.meta.dirname, '..', 'src', 'spec', 'gen', 'kubernetes-settings.ts')
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, await kubernetesSettingsFile())
