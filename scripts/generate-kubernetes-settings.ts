/**
 * Writes `src/spec/gen/kubernetes-settings.ts`: the flags, feature gates and admission plugins of each minor
 * of Kubernetes and the fields of its kubelet's configuration, and `etcd-flags.ts`, from their own sources. Not a part of `npm run generate`, since it needs Go and eleven releases
 * of nine modules; test/peers holds the file to what this writes.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  etcdFlagsFile,
  kubernetesSettingsFile,
} from '../test/peers/kubernetes-versions/kubernetes-settings.ts'

const folder = resolve(import.meta.dirname, '..', 'src', 'spec', 'gen')
mkdirSync(folder, { recursive: true })
writeFileSync(resolve(folder, 'kubernetes-settings.ts'), await kubernetesSettingsFile())
writeFileSync(resolve(folder, 'etcd-flags.ts'), await etcdFlagsFile())
