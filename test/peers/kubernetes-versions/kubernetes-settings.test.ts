import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { etcdFlagsFile, kubernetesSettingsFile } from './kubernetes-settings.ts'

const root = resolve(import.meta.dirname, '..', '..', '..')

test("the tables of flags, feature gates and plugins are what Kubernetes's sources say: `npm run generate:kubernetes-settings` changes nothing", async () => {
  const committed = readFileSync(resolve(root, 'src/spec/gen/kubernetes-settings.ts'), 'utf8')
  expect(committed).toBe(await kubernetesSettingsFile())
})

test("so is that of etcd's flags", async () => {
  const committed = readFileSync(resolve(root, 'src/spec/gen/etcd-flags.ts'), 'utf8')
  expect(committed).toBe(await etcdFlagsFile())
})
