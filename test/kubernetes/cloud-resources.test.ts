import { expect, test } from 'vitest'
import { deleteLoadBalancerServices } from '../../src/kubernetes/cloud-resources.ts'
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
