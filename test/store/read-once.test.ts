import { expect, it } from 'vitest'
import { systemRandom } from '../../src/lib/random.ts'
import { Redactor } from '../../src/lib/redactor.ts'
import { createSecretFiles } from '../../src/store/files/secret-files.ts'
import { makeIdentity } from './state-fixture.ts'

it('what a file says of itself is read once, however often an apply asks', async () => {
  const files = createSecretFiles({
    cluster: 'demo',
    recipients: [],
    identities: [await makeIdentity()],
    redactor: new Redactor(),
    random: systemRandom,
  })
  const path = 'nodes/demo-pool-1.sops.yaml'
  const content = await files.sealAgain(path, 'machine: { token: secret }\n', 0)
  expect(files.hasRule(path, content)).toBe(true)
  // Whoever reads it again finds nothing.
  content.fill(0)
  expect(files.hasRule(path, content)).toBe(true)
  expect(files.isCurrent(path, content)).toBe(true)
  expect(() => files.hasRule(path, Uint8Array.from(content))).toThrow('damaged')
})
