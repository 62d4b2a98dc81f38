import { expect, test } from 'vitest'
import { serveIpLookup } from '../../../src/sandbox/ip-lookup/serve-ip-lookup.ts'
import { World } from '../../../src/sandbox/world.ts'

test('Each caller is told its own address', async () => {
  const world = new World()
  const { url } = await serveIpLookup(world)
  expect(await (await fetch(url)).text()).toBe('127.0.0.1\n')
  expect(world.requests).toMatchObject([{ front: 'ip-lookup', method: 'GET', path: '/' }])
  await world.close()
})
