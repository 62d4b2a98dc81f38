import { expect, test } from 'vitest'
import { startProject } from './project.ts'

const subnet = (ip_range: string) => ({ type: 'cloud', network_zone: 'eu-central', ip_range })

test("A subnet's gateway is the first address of the network, wherever the subnet lies", async () => {
  await using project = await startProject()
  const { network } = await project.create('/networks', {
    name: 'net',
    ip_range: '10.0.0.0/16',
    subnets: [subnet('10.0.16.0/24')],
  })
  expect(network.subnets[0].gateway).toBe('10.0.0.1')
})

test('Without a wish Hetzner takes the last subnet in the order of ranges', async () => {
  await using project = await startProject()
  const { network } = await project.create('/networks', {
    name: 'net',
    ip_range: '10.0.0.0/16',
    subnets: [subnet('10.0.2.0/24'), subnet('10.0.0.0/24')],
  })
  const server = await project.createServer('one', { networks: [network.id] })
  expect(project.world.machine(server.id)?.privateIps).toEqual(['10.0.2.1'])
  const other = await project.createServer('two', { start_after_create: false })
  await project.act('servers', other.id, 'attach_to_network', {
    network: network.id,
    ip_range: '10.0.0.0/24',
  })
  // 10.0.0.1 is the gateway.
  expect(project.world.machine(other.id)?.privateIps).toEqual(['10.0.0.2'])
})

test('Subnets are checked against the network, each other and their members', async () => {
  await using project = await startProject()
  const network = await project.createNetwork()
  const add = (body: unknown) => project.act('networks', network.id, 'add_subnet', body)
  expect((await add(subnet('10.1.0.0/24'))).code).toBe('invalid_input')
  expect((await add(subnet('10.0.1.128/25'))).code).toBe('invalid_input')
  expect(
    (await add({ type: 'cloud', network_zone: 'us-east', ip_range: '10.0.9.0/24' })).code,
  ).toBe('invalid_input')
  const free = await add({ type: 'cloud', network_zone: 'eu-central' })
  expect(free.status).toBe(201)
  const { body } = await project.call('GET', `/networks/${network.id}`)
  expect(body.network.subnets[1].ip_range).toBe('10.0.0.0/24')
  await project.createServer('one', { networks: [network.id] })
  const inUse = await project.act('networks', network.id, 'delete_subnet', {
    ip_range: '10.0.1.0/24',
  })
  expect([inUse.code, inUse.body.error.message]).toEqual([
    'service_error',
    'cannot remove subnet because servers are attached to it',
  ])
  const unused = await project.act('networks', network.id, 'delete_subnet', {
    ip_range: '10.0.0.0/24',
  })
  expect(unused.body.action.command).toBe('delete_subnet')
})

test('Two changes of one network at once are a conflict', async () => {
  await using project = await startProject()
  const network = await project.createNetwork()
  project.world.faults.injectAction({ command: 'add_route', outcome: 'stuck' })
  const route = { destination: '10.200.0.0/16', gateway: '10.0.1.9' }
  await project.act('networks', network.id, 'add_route', route)
  const second = await project.act('networks', network.id, 'add_route', route)
  expect([second.status, second.code]).toEqual([409, 'conflict'])
})

test('Deleting a network frees its members, unless it is protected', async () => {
  await using project = await startProject()
  const network = await project.createNetwork()
  const server = await project.createServer('one', { networks: [network.id] })
  await project.act('networks', network.id, 'change_protection', { delete: true })
  const refused = await project.call('DELETE', `/networks/${network.id}`)
  expect([refused.status, refused.body.error.message]).toEqual([423, 'network is delete protected'])
  await project.act('networks', network.id, 'change_protection', { delete: false })
  expect((await project.call('DELETE', `/networks/${network.id}`)).status).toBe(204)
  expect(project.world.machine(server.id)?.privateIps).toEqual([])
})

test('Members are listed with the state of their attachment', async () => {
  await using project = await startProject()
  const network = await project.createNetwork()
  await project.createServer('one', { networks: [network.id] })
  const { load_balancer: balancer } = await project.create('/load_balancers', {
    name: 'lb',
    load_balancer_type: 'lb11',
    location: 'fsn1',
  })
  project.world.faults.injectAction({ command: 'attach_to_network', outcome: 'stuck' })
  await project.act('load_balancers', balancer.id, 'attach_to_network', {
    network: network.id,
    ip: '10.0.1.250',
  })
  const { body } = await project.call('GET', `/networks/${network.id}/members?sort=ip`)
  expect(body.members).toMatchObject([
    { type: 'server', ip: '10.0.1.1', status: 'ok', subnet: '10.0.1.0/24' },
    { type: 'load_balancer', ip: '10.0.1.250', status: 'attaching' },
  ])
})
