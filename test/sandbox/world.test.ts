import { expect, test } from 'vitest'
import { Addresses } from '../../src/sandbox/addresses.ts'
import type { Guest } from '../../src/sandbox/machine.ts'
import { startProject } from './hetzner/project.ts'

test('Two sandboxes on one machine never hand out the same address', async () => {
  const sandboxes = [0, 0, 0].map(() => new Addresses('127.31.240.0/20', 0))
  const addresses = await Promise.all(sandboxes.map((sandbox) => sandbox.allocate()))
  expect(new Set(addresses).size).toBe(3)
  await Promise.all(sandboxes.map((sandbox) => sandbox.close()))
})

test('A block of addresses that is used up is followed by another', async () => {
  const sandbox = new Addresses('127.31.224.0/20', 0)
  const addresses = await Promise.all(Array.from({ length: 300 }, () => sandbox.allocate()))
  expect(new Set(addresses).size).toBe(300)
  await sandbox.close()
})

test('A guest can reboot its machine and switch it off', async () => {
  await using project = await startProject()
  const events: string[] = []
  project.world.guests.stock = async (machine): Promise<Guest> => {
    events.push(`start ${machine.power}`)
    return {
      stop: async () => {
        events.push(`stop ${machine.power}`)
      },
    }
  }
  const server = await project.createServer('one')
  const machine = project.world.machineNamed('one')
  if (machine === undefined) throw new Error('no machine')
  const before = machine.bootId
  await project.world.reboot(machine)
  expect(machine.bootId).not.toBe(before)
  await project.world.machines.get(server.id)?.settled()
  await project.world.shutdown(machine)
  expect(events).toEqual(['start on', 'stop on', 'start on', 'stop on'])
  expect((await project.call('GET', `/servers/${server.id}`)).body.server.status).toBe('off')
})

test('A server is off when its system has ended, and a snapshot has what that wrote last', async () => {
  await using project = await startProject()
  const ending = Promise.withResolvers<void>()
  project.world.guests.stock = async (machine): Promise<Guest> => ({
    stop: async () => {
      await ending.promise
      machine.disk.image = { kind: 'garbage' }
    },
  })
  const { id } = await project.createServer('one')
  const status = async () => (await project.call('GET', `/servers/${id}`)).body.server.status
  await project.call('POST', `/servers/${id}/actions/shutdown`)
  expect(await status()).toBe('running')
  ending.resolve()
  await expect.poll(status).toBe('off')
  await project.call('POST', `/servers/${id}/actions/create_image`, { type: 'snapshot' })
  await expect
    .poll(() => [...project.world.hetzner.images.values()].map(({ content }) => content.kind))
    .toContain('garbage')
})

test('A guest that cannot start is a mistake of the sandbox and taken down', async () => {
  await using project = await startProject()
  project.world.guests.stock = () => Promise.reject(new Error('broken'))
  await project.createServer('one')
  expect(project.world.contractErrors).toEqual(['stock on one did not start: Error: broken'])
})

test('The world can be cut after a number of requests, and come back', async () => {
  await using project = await startProject()
  project.world.cutAfter(2)
  await project.call('GET', '/locations')
  await project.call('GET', '/locations')
  await expect(project.call('GET', '/locations')).rejects.toThrow()
  project.world.restore()
  expect((await project.call('GET', '/locations')).status).toBe(200)
  expect(project.world.requests).toHaveLength(4)
})

test('Whoever asks while the last request before the cut still waits is cut off as well, and told so first', async () => {
  await using project = await startProject()
  const answer = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  let cuts = 0
  project.world.log.onCut(() => void cuts++)
  project.world.onRequest(({ method }) => {
    if (method !== 'POST') return undefined
    asked.resolve()
    return answer.promise
  })
  project.world.cutAfter(1)
  const last = project.call('POST', '/placement_groups', { name: 'pg', type: 'spread' })
  await asked.promise
  expect(cuts).toBe(0)
  await expect(project.call('GET', '/locations')).rejects.toThrow()
  expect(cuts).toBe(1)
  answer.resolve()
  await Promise.allSettled([last])
  expect(cuts).toBe(1)
  expect(project.world.hetzner.placementGroups.size).toBe(1)
})

test('The last request before the cut can lose its answer', async () => {
  await using project = await startProject()
  project.world.cutAfter(1, { loseLast: true })
  const body = { name: 'pg', type: 'spread' }
  await expect(project.call('POST', '/placement_groups', body)).rejects.toThrow()
  expect(project.world.hetzner.placementGroups.size).toBe(1)
})

test('A test can step in after the nth mutation, before its answer', async () => {
  await using project = await startProject()
  const seen: number[] = []
  const asked: string[] = []
  project.world.onRequest(({ method, path }) => void asked.push(`${method} ${path}`))
  project.world.afterMutation(2, () => void seen.push(project.world.hetzner.placementGroups.size))
  await project.create('/placement_groups', { name: 'a', type: 'spread' })
  await project.call('GET', '/placement_groups')
  expect(seen).toEqual([])
  await project.create('/placement_groups', { name: 'b', type: 'spread' })
  await project.create('/placement_groups', { name: 'c', type: 'spread' })
  expect(seen).toEqual([2])
  expect(asked[1]).toBe('GET /placement_groups')
})
