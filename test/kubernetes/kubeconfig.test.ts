import { expect, test } from 'vitest'
import { createClock } from '../../src/lib/clock.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { Redactor } from '../../src/lib/redactor.ts'
import { clientOf, createAuthority } from './api-server.ts'
import { connectKubernetes } from './connect-kubernetes.ts'

const environment = { clock: createClock(1000), random: seededRandom(1), retries: 0 }
const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'demo', name: 'settings' }

test('a kubeconfig leads to its server with its certificates, and its key is known as a secret', async () => {
  const { authority, server } = await clientOf(() => ({
    body: { ...ref, metadata: { name: ref.name } },
  }))
  const redactor = new Redactor()
  const kubeconfig = authority.kubeconfig(server)
  const client = await connectKubernetes({ ...environment, kubeconfig, redactor })
  expect(await client.get(ref)).toMatchObject({ metadata: { name: 'settings' } })
  client.close()
  const key = authority.connection(server).tls.key?.toString().trim() ?? ''
  expect(redactor.redact(key)).toBe('***')
})

test('nobody listening is unreachable, with the address', async () => {
  const kubeconfig = createAuthority().kubeconfig('https://127.0.0.1:1')
  const client = await connectKubernetes({ ...environment, kubeconfig })
  await expect(client.discovery()).rejects.toMatchObject({
    code: 'kubernetes-unreachable',
    message: expect.stringContaining('127.0.0.1:1'),
  })
  client.close()
})

test('a server with a certificate of another CA is not believed', async () => {
  const { server } = await clientOf(() => ({}))
  const kubeconfig = createAuthority().kubeconfig(server)
  const stranger = await connectKubernetes({ ...environment, kubeconfig })
  await expect(stranger.get(ref)).rejects.toMatchObject({ code: 'kubernetes-unreachable' })
  stranger.close()
})

test.each([
  ['a text that is none', `users: [{client-key-data: c2VjcmV0LXNlY3JldA==`],
  ['one without a context', 'apiVersion: v1\nkind: Config\nclusters: []\nusers: []\ncontexts: []'],
])('%s is refused as a kubeconfig without being quoted', async (_name, kubeconfig) => {
  const error = await connectKubernetes({ ...environment, kubeconfig }).catch(
    (failure: unknown) => failure,
  )
  expect(error).toMatchObject({ code: 'kubernetes-refused' })
  expect(String(error)).not.toContain('c2VjcmV0')
})
