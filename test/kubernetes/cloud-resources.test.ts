import { expect, test } from 'vitest'
import { cloudVolumes, deleteLoadBalancerServices } from '../../src/kubernetes/cloud-resources.ts'
import { waitForApi } from '../../src/kubernetes/wait-for-api.ts'
import { createClock } from '../../src/lib/clock.ts'
import type { Json } from '../../src/lib/json.ts'
import { clientOf } from './api-server.ts'

const wait = { clock: createClock(1000), withinMs: 20_000_000 }

test('services with a load balancer are deleted and waited for, others are left', async () => {
  const services = new Map<string, Json>(
    [
      ['web', 'LoadBalancer'],
      ['internal', 'ClusterIP'],
    ].map(([name = '', type = '']) => [
      name,
      { metadata: { name, namespace: 'demo' }, spec: { type } },
    ]),
  )
  const { client } = await clientOf(({ method, path }) => {
    const name = path.split('/').at(-1) ?? ''
    if (method === 'DELETE') setTimeout(() => services.delete(name), 5)
    return { body: { items: [...services.values()] } }
  })
  const deleted = await deleteLoadBalancerServices(client, wait)
  expect(deleted.map(({ name }) => name)).toEqual(['web'])
  expect([...services.keys()]).toEqual(['internal'])
})

test("Hetzner's volumes are named with their claims and sizes", async () => {
  const csi = (driver: string) => ({ driver, volumeHandle: '42' })
  const { client } = await clientOf(() => ({
    body: {
      items: [
        {
          metadata: { name: 'pvc-1' },
          spec: {
            csi: csi('csi.hetzner.cloud'),
            capacity: { storage: '10Gi' },
            claimRef: { namespace: 'demo', name: 'data' },
          },
        },
        { metadata: { name: 'pvc-2' }, spec: { csi: csi('other'), capacity: {} } },
      ],
    },
  }))
  expect(await cloudVolumes(client)).toEqual([
    { name: 'pvc-1', volumeId: '42', claim: 'demo/data', size: '10Gi' },
  ])
})

test('an API that is not ready yet is waited for', async () => {
  const answers = [
    undefined,
    { status: 500, body: 'etcd not ready' },
    { status: 403 },
    { body: 'ok' },
  ]
  const { client } = await clientOf(() => answers.shift())
  await waitForApi(client, wait)
  expect(answers).toEqual([])
})

test('credentials that are refused are not waited for', async () => {
  const { client } = await clientOf(() => ({ status: 401 }))
  await expect(waitForApi(client, wait)).rejects.toMatchObject({ status: 401 })
})
