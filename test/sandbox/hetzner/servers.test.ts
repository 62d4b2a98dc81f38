import { createServer as createTcpServer } from 'node:net'
import { expect, test } from 'vitest'
import { createClock } from '../../../src/lib/clock.ts'
import { startProject } from './project.ts'

const off = { start_after_create: false }

test('A server is created, started, stopped and deleted, and shows each state', async () => {
  await using project = await startProject()
  const created = await project.create('/servers', {
    name: 'one',
    server_type: 'cx23',
    image: 'debian-13',
    location: 'hel1',
    labels: { cluster: 'demo' },
  })
  expect(created.server).toMatchObject({ status: 'initializing', locked: true })
  expect(created.action).toMatchObject({ command: 'create_server', status: 'running' })
  expect(created.action.progress).toBeLessThan(100)
  expect(created.next_actions.map(({ command }: { command: string }) => command)).toEqual([
    'start_server',
  ])
  expect(created.root_password).toHaveLength(20)
  const { id } = created.server
  const path = `/servers/${id}`
  const statusOf = async () => (await project.call('GET', path)).body.server.status
  expect(await statusOf()).toBe('running')
  await project.act('servers', id, 'poweroff')
  expect(await statusOf()).toBe('off')
  const { status, body } = await project.call('DELETE', path)
  expect([status, body.action.command]).toEqual([200, 'delete_server'])
  expect((await project.call('GET', path)).code).toBe('not_found')
  expect(project.world.machines.size).toBe(0)
  expect(project.world.hetzner.primaryIps.size).toBe(0)
})

test('A server that is not to start stays off and has no further action', async () => {
  await using project = await startProject()
  const server = await project.createServer('one', off)
  const { body } = await project.call('GET', `/servers/${server.id}`)
  expect(body.server).toMatchObject({ status: 'off', locked: false })
  expect(project.world.machine(server.id)?.power).toBe('off')
})

test.for([
  [{ server_type: 'cpx21', location: 'hel1' }, 'unsupported location for server type'],
  [{ server_type: 'cax11', location: 'ash' }, 'unsupported location for server type'],
  [{ server_type: 'cx1' }, "invalid input in field 'server_type'"],
  [{ image: 'windows' }, "invalid input in field 'image'"],
  [{ location: 'mars' }, "invalid input in field 'location'"],
  [{ ssh_keys: ['nobody'] }, "invalid input in field 'ssh_keys'"],
  [{ user_data: 'x'.repeat(32_769) }, "invalid input in field 'user_data'"],
  [
    { public_net: { enable_ipv4: false, enable_ipv6: false } },
    "invalid input in field 'public_net'",
  ],
  [{ name: 'not_a_host' }, "invalid input in field 'name'"],
] as const)('A server with %o is refused', async ([options, message]) => {
  await using project = await startProject()
  const { status, body } = await project.call('POST', '/servers', {
    name: 'one',
    server_type: 'cx23',
    image: 'debian-13',
    location: 'fsn1',
    ...options,
  })
  expect([status, body.error.message]).toEqual([422, message])
  expect(project.world.hetzner.servers.size).toBe(0)
})

test('Capacity, account limits and names are checked in that order of refusals', async () => {
  await using project = await startProject({ limits: { servers: 1 } })
  project.world.faults.soldOut('cx23', 'fsn1')
  const body = { name: 'one', server_type: 'cx23', image: 'debian-13', location: 'fsn1' }
  const soldOut = await project.call('POST', '/servers', body)
  expect([soldOut.status, soldOut.code, soldOut.body.error.message]).toEqual([
    412,
    'resource_unavailable',
    'error during placement',
  ])
  const types = await project.call('GET', '/server_types?name=cx23')
  expect(types.body.server_types[0].locations[0]).toMatchObject({ name: 'fsn1', available: false })
  project.world.faults.restock()
  await project.createServer('one')
  expect((await project.call('POST', '/servers', body)).code).toBe('uniqueness_error')
  const full = await project.call('POST', '/servers', { ...body, name: 'two' })
  expect([full.status, full.code]).toEqual([403, 'resource_limit_exceeded'])
})

test('An action that fails says so, takes those after it along, and leaves no server behind', async () => {
  await using project = await startProject()
  project.world.faults.injectAction({
    command: 'create_server',
    outcome: { error: { code: 'placement_error', message: 'no host' } },
  })
  const created = await project.create('/servers', {
    name: 'one',
    server_type: 'cx23',
    image: 'debian-13',
  })
  const ids = [created.action, ...created.next_actions].map(({ id }: { id: number }) => `id=${id}`)
  const { body } = await project.call('GET', `/actions?${ids.join('&')}`)
  expect(body.actions.map(({ status }: { status: string }) => status)).toEqual(['error', 'error'])
  expect(body.actions[0].error).toEqual({ code: 'placement_error', message: 'no host' })
  expect(project.world.hetzner.servers.size).toBe(0)
})

test('An action that is stuck keeps its server locked', async () => {
  await using project = await startProject()
  const server = await project.createServer('one', off)
  project.world.faults.injectAction({ command: 'start_server', outcome: 'stuck' })
  const { body } = await project.act('servers', server.id, 'poweron')
  expect((await project.call('GET', `/actions/${body.action.id}`)).body.action.status).toBe(
    'running',
  )
  const refused = await project.act('servers', server.id, 'poweroff')
  expect([refused.status, refused.body.error.message]).toEqual([
    423,
    'cannot perform operation because server is locked',
  ])
  expect((await project.call('DELETE', `/servers/${server.id}`)).code).toBe('locked')
})

test('With realistic latencies actions take their time and tell how far they are', async () => {
  await using project = await startProject({ latencies: 'realistic', clock: createClock(2_000) })
  const { server, action } = await project.create('/servers', {
    name: 'one',
    server_type: 'cx23',
    image: 'debian-13',
    ...off,
  })
  expect(server.status).toBe('initializing')
  let seen = action
  const progress: number[] = []
  while (seen.status === 'running') {
    seen = (await project.call('GET', `/actions/${action.id}`)).body.action
    progress.push(seen.progress)
  }
  expect(progress.at(-1)).toBe(100)
  expect(progress).toEqual(progress.toSorted((a, b) => a - b))
  expect(Date.parse(seen.finished) - Date.parse(seen.started)).toBeGreaterThanOrEqual(4_000)
})

test('Each server has an address of its own that can be listened on', async () => {
  await using project = await startProject()
  const first = await project.createServer('one')
  const second = await project.createServer('two')
  const addresses = [first, second].map((server) => server.public_net.ipv4.ip)
  expect(new Set(addresses).size).toBe(2)
  for (const address of addresses) {
    const server = createTcpServer()
    await new Promise<void>((listening) => server.listen(0, address, listening))
    await new Promise((closed) => server.close(closed))
  }
})

test('A server takes part in a network at the address that was asked for', async () => {
  await using project = await startProject()
  const network = await project.createNetwork()
  const server = await project.createServer('one', off)
  await project.act('servers', server.id, 'attach_to_network', {
    network: network.id,
    ip: '10.0.1.11',
  })
  expect(project.world.machine(server.id)?.privateIps).toEqual(['10.0.1.11'])
  const again = await project.act('servers', server.id, 'attach_to_network', {
    network: network.id,
  })
  expect(again.code).toBe('server_already_attached')
  const other = await project.createServer('two', off)
  const taken = await project.act('servers', other.id, 'attach_to_network', {
    network: network.id,
    ip: '10.0.1.11',
  })
  expect(taken.code).toBe('ip_not_available')
  const outside = await project.act('servers', other.id, 'attach_to_network', {
    network: network.id,
    ip: '10.0.9.1',
  })
  expect(outside.code).toBe('invalid_input')
})

test('Armed rescue is for the next boot only, and admits the keys that were given', async () => {
  await using project = await startProject()
  const booted: string[] = []
  const guest = (name: string) => async () => {
    booted.push(name)
    return { stop: async () => {} }
  }
  Object.assign(project.world.guests, { rescue: guest('rescue'), stock: guest('stock') })
  const { ssh_key } = await project.create('/ssh_keys', {
    name: 'key',
    public_key:
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2h0mJ1m0Y1m9m3bJ4ZgqTn3t0pV9zY3nq0Y6wGqk1t me',
  })
  const server = await project.createServer('one', off)
  await project.act('servers', server.id, 'enable_rescue', { ssh_keys: [ssh_key.id] })
  const armed = await project.call('GET', `/servers/${server.id}`)
  expect(armed.body.server.rescue_enabled).toBe(true)
  await project.act('servers', server.id, 'poweron')
  await project.world.machines.get(server.id)?.settled()
  expect(project.world.machine(server.id)?.authorizedKeys).toEqual([ssh_key.public_key])
  const before = project.world.machine(server.id)?.bootId
  await project.act('servers', server.id, 'reset')
  await project.world.machines.get(server.id)?.settled()
  expect(booted).toEqual(['rescue', 'stock'])
  expect(project.world.machine(server.id)?.bootId).not.toBe(before)
  expect(project.world.machine(server.id)?.authorizedKeys).toEqual([])
})

test('A snapshot holds what was on the disk, and servers made from it boot that', async () => {
  await using project = await startProject()
  const booted: string[] = []
  project.world.guests.talos = async (machine) => {
    booted.push(machine.name)
    return { stop: async () => {} }
  }
  const builder = await project.createServer('builder', off)
  const machine = project.world.machine(builder.id)
  const talos = { kind: 'talos', version: 'v1.9.0', schematic: 'abc', arch: 'amd64' } as const
  if (machine) machine.disk.image = talos
  const { body } = await project.act('servers', builder.id, 'create_image', {
    labels: { os: 'talos' },
  })
  expect(body.image).toMatchObject({
    status: 'creating',
    name: null,
    image_size: null,
    disk_size: 40,
  })
  const found = await project.call(
    'GET',
    '/images?type=snapshot&status=available&architecture=x86&label_selector=os%3Dtalos',
  )
  expect(found.body.images).toHaveLength(1)
  await project.createServer('node', { image: body.image.id })
  expect(booted).toEqual(['node'])
  expect(project.world.machineNamed('node')?.disk.image).toEqual(talos)
  const arm = await project.call('POST', '/servers', {
    name: 'arm',
    server_type: 'cax11',
    image: body.image.id,
  })
  expect(arm.body.error.message).toBe('image and server type must have the same architecture')
})

test('A server can fail to boot, and can come back at another address', async () => {
  await using project = await startProject()
  let booted = 0
  project.world.guests.stock = async () => {
    booted++
    return { stop: async () => {} }
  }
  project.world.faults.neverBoots('one')
  const server = await project.createServer('one')
  expect(booted).toBe(0)
  expect((await project.call('GET', `/servers/${server.id}`)).body.server.status).toBe('running')
  await project.act('servers', server.id, 'shutdown')
  expect((await project.call('GET', `/servers/${server.id}`)).body.server.status).toBe('running')
  project.world.faults.movesAddress('one')
  await project.act('servers', server.id, 'reset')
  await project.world.machines.get(server.id)?.settled()
  const moved = (await project.call('GET', `/servers/${server.id}`)).body.server
  expect(booted).toBe(1)
  expect(moved.public_net.ipv4.ip).not.toBe(server.public_net.ipv4.ip)
  expect(project.world.machine(server.id)?.publicIp).toBe(moved.public_net.ipv4.ip)
})

test('A deleted server still counts for its firewall and group until Hetzner notices', async () => {
  let now = 1_800_000_000_000
  await using project = await startProject({ clock: { now: () => now, sleep: async () => {} } })
  project.world.faults.releaseLagMs = 5_000
  const { firewall } = await project.create('/firewalls', { name: 'fw' })
  const { placement_group: group } = await project.create('/placement_groups', {
    name: 'pg',
    type: 'spread',
  })
  const server = await project.createServer('one', {
    firewalls: [{ firewall: firewall.id }],
    placement_group: group.id,
  })
  await project.call('DELETE', `/servers/${server.id}`)
  expect((await project.call('DELETE', `/firewalls/${firewall.id}`)).code).toBe('resource_in_use')
  expect((await project.call('DELETE', `/placement_groups/${group.id}`)).code).toBe(
    'resource_in_use',
  )
  now += 6_000
  expect((await project.call('DELETE', `/firewalls/${firewall.id}`)).status).toBe(204)
  expect((await project.call('DELETE', `/placement_groups/${group.id}`)).status).toBe(204)
})

test('A placement group takes ten servers', async () => {
  await using project = await startProject()
  const { placement_group: group } = await project.create('/placement_groups', {
    name: 'pg',
    type: 'spread',
  })
  const options = { ...off, placement_group: group.id }
  for (let count = 0; count < 10; count++) await project.createServer(`s-${count}`, options)
  const refused = await project.call('POST', '/servers', {
    name: 's-10',
    server_type: 'cx23',
    image: 'debian-13',
    placement_group: group.id,
  })
  expect(refused.code).toBe('placement_group_member_limit_reached')
})
