import { expect, test } from 'vitest'
import { observeDestroy } from '../../src/hetzner/observe-destroy.ts'
import {
  applyCluster,
  completeCluster,
  contents,
  destroyCluster,
  identity,
  planCluster,
  startHetznerWorld,
} from '../hetzner/hetzner-world.ts'

const lists = ['servers', 'networks', 'firewalls', 'placement_groups', 'load_balancers', 'ssh_keys']

test.each(lists)('a list of %s that fails is not an empty one', async (list) => {
  await using sandbox = await startHetznerWorld()
  const { world, client } = sandbox
  world.faults.inject({ kind: 'unavailable', route: `GET /${list}`, times: 100 })
  await expect(planCluster(client)).rejects.toMatchObject({ code: 'hetzner-unavailable' })
  await expect(observeDestroy(client, { identity })).rejects.toMatchObject({
    code: 'hetzner-unavailable',
  })
})

test('during a burst of 429 nothing is taken for gone, and nothing is deleted', async () => {
  await using sandbox = await startHetznerWorld()
  const { world, client } = sandbox
  await applyCluster(client)
  world.faults.inject({ kind: 'rate-limit', route: /^GET /, times: 1_000 })
  await expect(destroyCluster(client)).rejects.toMatchObject({ code: 'hetzner-rate-limit' })
  expect(contents(world)).toEqual(completeCluster)
})

test('only a 404 by id means that something is gone', async () => {
  await using sandbox = await startHetznerWorld()
  const { world, client } = sandbox
  await applyCluster(client)
  world.faults.inject({ kind: 'server-error', route: 'GET /servers/{id}', times: 1_000 })
  await expect(destroyCluster(client)).rejects.toMatchObject({ code: 'hetzner-failed' })
  const { servers, networks } = contents(world)
  expect({ servers, networks }).toEqual({
    servers: completeCluster.servers,
    networks: completeCluster.networks,
  })
})
