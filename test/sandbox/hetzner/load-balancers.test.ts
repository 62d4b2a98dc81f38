import { expect, test } from 'vitest'
import { startProject } from './project.ts'

const target = {
  type: 'label_selector',
  label_selector: { selector: 'role=control-plane' },
  use_private_ip: true,
}
const service = {
  protocol: 'tcp',
  listen_port: 6443,
  destination_port: 6443,
  proxyprotocol: false,
  health_check: {
    protocol: 'http',
    port: 6443,
    interval: 3,
    timeout: 2,
    retries: 2,
    http: { path: '/version', tls: true, status_codes: ['401'] },
  },
}

async function startBalanced() {
  const project = await startProject()
  const network = await project.createNetwork()
  const { load_balancer: balancer, action } = await project.create('/load_balancers', {
    name: 'lb',
    load_balancer_type: 'lb11',
    location: 'fsn1',
    algorithm: { type: 'round_robin' },
  })
  const act = (name: string, body?: unknown) =>
    project.act('load_balancers', balancer.id, name, body)
  const read = async () =>
    (await project.call('GET', `/load_balancers/${balancer.id}`)).body.load_balancer
  return { ...project, network, balancer, action, actOn: act, read }
}

test('Targets by private address need the load balancer in a network first', async () => {
  await using project = await startBalanced()
  expect(project.action.command).toBe('create_load_balancer')
  expect((await project.actOn('add_target', target)).code).toBe(
    'load_balancer_not_attached_to_network',
  )
  await project.actOn('attach_to_network', { network: project.network.id, ip: '10.0.1.250' })
  expect((await project.read()).private_net).toEqual([
    { network: project.network.id, ip: '10.0.1.250' },
  ])
  expect((await project.actOn('add_target', target)).body.action.command).toBe('add_target')
  expect((await project.actOn('add_target', target)).code).toBe('target_already_defined')
})

test('Servers that a selector finds are left out silently where they cannot be reached', async () => {
  await using project = await startBalanced()
  await project.actOn('attach_to_network', { network: project.network.id })
  await project.actOn('add_target', target)
  const labels = { role: 'control-plane' }
  await project.createServer('outside', { labels })
  const inside = await project.createServer('inside', { labels, networks: [project.network.id] })
  const { targets } = await project.read()
  expect(targets[0].targets.map((found: { server: { id: number } }) => found.server.id)).toEqual([
    inside.id,
  ])
  const { body } = await project.call('GET', `/servers/${inside.id}`)
  expect(body.server.load_balancers).toEqual([project.balancer.id])
})

test("A target's health is what the machine answers to the service's check", async () => {
  await using project = await startBalanced()
  await project.actOn('attach_to_network', { network: project.network.id })
  await project.actOn('add_target', target)
  await project.actOn('add_service', service)
  const server = await project.createServer('one', {
    labels: { role: 'control-plane' },
    networks: [project.network.id],
  })
  const health = async () => (await project.read()).targets[0].targets[0].health_status
  expect(await health()).toEqual([
    { listen_port: 6443, status: 'unhealthy', detail: 'layer4_no_connection' },
  ])
  let status = 500
  const asked: unknown[] = []
  project.world.targetProbes.push((machine, port, check) => {
    asked.push([machine.name, port, check])
    return status
  })
  expect(await health()).toEqual([
    {
      listen_port: 6443,
      status: 'unhealthy',
      detail: 'unexpected_http_status',
      http_status_code: 500,
    },
  ])
  expect(asked).toEqual([['one', 6443, { protocol: 'http', tls: true, path: '/version' }]])
  status = 401
  expect(await health()).toEqual([{ listen_port: 6443, status: 'healthy' }])
  await project.act('servers', server.id, 'poweroff')
  expect(await health()).toMatchObject([{ status: 'unhealthy', detail: 'layer4_timeout' }])
})

test('Services have ports of their own, and defaults for what is left out', async () => {
  await using project = await startBalanced()
  expect((await project.actOn('add_service', { protocol: 'tcp' })).code).toBe('invalid_input')
  await project.actOn('add_service', { protocol: 'tcp', listen_port: 80, destination_port: 8080 })
  expect((await project.read()).services).toEqual([
    {
      protocol: 'tcp',
      listen_port: 80,
      destination_port: 8080,
      proxyprotocol: false,
      health_check: { protocol: 'tcp', port: 8080, interval: 15, timeout: 10, retries: 3 },
    },
  ])
  const again = await project.actOn('add_service', {
    protocol: 'tcp',
    listen_port: 80,
    destination_port: 1,
  })
  expect(again.code).toBe('source_port_already_used')
  await project.actOn('update_service', { listen_port: 80, proxyprotocol: true })
  expect((await project.read()).services[0]).toMatchObject({
    proxyprotocol: true,
    destination_port: 8080,
  })
  await project.actOn('delete_service', { listen_port: 80 })
  expect((await project.read()).services).toEqual([])
})

test('Its public side can go only when every target is reached in private', async () => {
  await using project = await startBalanced()
  expect((await project.actOn('disable_public_interface')).code).toBe(
    'load_balancer_not_attached_to_network',
  )
  await project.actOn('attach_to_network', { network: project.network.id })
  const server = await project.createServer('one')
  const open = { type: 'server', server: { id: server.id } }
  await project.actOn('add_target', open)
  expect((await project.actOn('disable_public_interface')).code).toBe(
    'targets_without_use_private_ip',
  )
  await project.actOn('remove_target', open)
  await project.actOn('disable_public_interface')
  expect((await project.actOn('add_target', open)).code).toBe(
    'load_balancer_public_interface_disabled',
  )
})

test('Deleting one answers 201 with an action, as since October 2026', async () => {
  await using project = await startBalanced()
  const path = `/load_balancers/${project.balancer.id}`
  await project.actOn('change_protection', { delete: true })
  expect((await project.call('DELETE', path)).code).toBe('protected')
  await project.actOn('change_protection', { delete: false })
  const { status, body } = await project.call('DELETE', path)
  expect([status, body.action.status]).toEqual([201, 'running'])
  expect((await project.call('GET', path)).status).toBe(404)
})
