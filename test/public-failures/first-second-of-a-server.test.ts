import { expect, test } from 'vitest'
import { firewallsOfServer } from '../../src/sandbox/hetzner/firewalls/firewalls-of-server.ts'
import { applyCluster, completeCluster, startHetznerWorld } from '../hetzner/hetzner-world.ts'

test('no server is ever there without its firewall, and none is made with user data', async () => {
  await using sandbox = await startHetznerWorld()
  const { world, client } = sandbox
  const seen = new Set<string>()
  const open: string[] = []
  world.onRequest(() => {
    for (const { id, name } of world.hetzner.servers.values()) {
      seen.add(name)
      if (firewallsOfServer(world, id).length === 0) open.push(name)
    }
  })
  await applyCluster(client)
  expect([...seen].sort()).toEqual(completeCluster.servers)
  expect(open).toEqual([])
  const userData = [...world.machines.values()].map((machine) => machine.userData)
  expect(new Set(userData)).toEqual(new Set([undefined]))
})
