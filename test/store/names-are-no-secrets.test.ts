import { expect, test } from 'vitest'
import { Redactor } from '../../src/lib/redactor.ts'
import { makeInventory, makeRemote, makeStore, secretsBundle } from './state-fixture.ts'

const config = `version: v1alpha1
machine:
  type: worker
  token: canary-machine-token
  registries:
    config:
      registry.example.com:
        auth: { username: hcloud-talos, password: canary-password-1 }
---
apiVersion: v1alpha1
kind: RegistryAuthConfig
name: ghcr.io
username: hcloud-talos
password: canary-password-2
`

test('a registry user who is called like the product hides no path', async () => {
  const remote = await makeRemote()
  const writer = await makeStore({ remote, encrypt: 'all' })
  const nodeConfigs = { 'demo-1': config }
  await writer.update(
    () => ({ inventory: makeInventory(), secrets: secretsBundle, nodeConfigs }),
    'Begin',
  )
  const redactor = new Redactor()
  const store = await makeStore({ remote, redactor, encrypt: 'all' })
  await store.read()
  expect(await store.readNodeConfig('demo-1')).toContain('hcloud-talos')
  const path = '/runner/_temp/hcloud-talos-access-Ab12Cd/kubeconfig'
  expect(redactor.redact(path)).toBe(path)
  const line = 'canary-machine-token, canary-password-1, canary-password-2'
  expect(redactor.redact(line)).toBe('***, ***, ***')
})
