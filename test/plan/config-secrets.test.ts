import { expect, it } from 'vitest'
import { hidden, hideSecrets } from '../../src/plan/config-secrets.ts'

const providers = [
  {
    name: 'ecr-credential-provider',
    matchImages: ['*.dkr.ecr.eu-central-1.amazonaws.com'],
    args: ['--key=canary'],
    env: [{ name: 'AWS_PROFILE', value: 'canary' }],
  },
]

it.each([
  ['the old shape', { machine: { kubelet: { credentialProviderConfig: { providers } } } }],
  ['a document', { kind: 'KubeCredentialProviderConfig', configuration: { providers } }],
])('what credential providers are given is hidden in %s of what a node runs', (_, config) => {
  const shown = JSON.stringify(hideSecrets(config, 'node'))
  expect(shown).toContain(hidden)
  expect(shown).not.toContain('canary')
})
