import { expect, test } from 'vitest'
import { startProject } from './project.ts'

test('A volume follows a server of its location and survives it', async () => {
  await using project = await startProject()
  const server = await project.createServer('one')
  const { volume, next_actions } = await project.create('/volumes', {
    name: 'data',
    size: 10,
    server: server.id,
  })
  expect(next_actions[0].command).toBe('attach_volume')
  const path = `/volumes/${volume.id}`
  expect((await project.call('GET', path)).body.volume).toMatchObject({
    server: server.id,
    status: 'available',
    linux_device: `/dev/disk/by-id/scsi-0HC_Volume_${volume.id}`,
  })
  expect((await project.call('DELETE', path)).code).toBe('resource_in_use')
  const elsewhere = await project.createServer('two', { location: 'nbg1' })
  await project.act('volumes', volume.id, 'detach')
  const refused = await project.act('volumes', volume.id, 'attach', { server: elsewhere.id })
  expect(refused.code).toBe('invalid_input')
  await project.act('volumes', volume.id, 'attach', { server: server.id })
  await project.call('DELETE', `/servers/${server.id}`)
  expect((await project.call('GET', path)).body.volume.server).toBeNull()
  expect((await project.call('DELETE', path)).status).toBe(204)
})

test('A primary IP can be kept over the life of a server, and must be free to be deleted', async () => {
  await using project = await startProject()
  const { primary_ip: ip } = await project.create('/primary_ips', {
    name: 'kept',
    type: 'ipv4',
    location: 'fsn1',
  })
  expect(ip).toMatchObject({ assignee_id: null, assignee_type: 'unassigned' })
  const server = await project.createServer('one', { public_net: { ipv4: ip.id } })
  expect(server.public_net.ipv4.ip).toBe(ip.ip)
  const path = `/primary_ips/${ip.id}`
  expect((await project.call('DELETE', path)).code).toBe('must_be_unassigned')
  expect((await project.act('primary_ips', ip.id, 'unassign')).code).toBe('server_not_stopped')
  await project.call('DELETE', `/servers/${server.id}`)
  expect((await project.call('GET', path)).body.primary_ip.assignee_id).toBeNull()
  expect((await project.call('DELETE', path)).status).toBe(204)
})

test('A private server has no public address, and needs a network to be switched on', async () => {
  await using project = await startProject()
  const network = await project.createNetwork()
  const server = await project.createServer('one', {
    start_after_create: false,
    networks: [network.id],
    public_net: { enable_ipv4: false, enable_ipv6: false },
  })
  expect(server.public_net).toMatchObject({ ipv4: null, ipv6: null })
  expect(project.world.machine(server.id)?.publicIp).toBeUndefined()
  await project.act('servers', server.id, 'detach_from_network', { network: network.id })
  expect((await project.act('servers', server.id, 'poweron')).code).toBe('invalid_input')
  const { firewall } = await project.create('/firewalls', { name: 'fw' })
  const refused = await project.act('firewalls', firewall.id, 'apply_to_resources', {
    apply_to: [{ type: 'server', server: { id: server.id } }],
  })
  expect(refused.code).toBe('private_net_only_server')
})

test('A key is known by its fingerprint, and the same key cannot be had twice', async () => {
  await using project = await startProject()
  const public_key =
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2h0mJ1m0Y1m9m3bJ4ZgqTn3t0pV9zY3nq0Y6wGqk1t me'
  const { ssh_key: key } = await project.create('/ssh_keys', { name: 'mine', public_key })
  expect(key.fingerprint).toMatch(/^([0-9a-f]{2}:){15}[0-9a-f]{2}$/)
  const found = await project.call('GET', `/ssh_keys?fingerprint=${key.fingerprint}`)
  expect(found.body.ssh_keys).toHaveLength(1)
  const again = await project.call('POST', '/ssh_keys', { name: 'other', public_key })
  expect(again.body.error).toEqual({
    code: 'uniqueness_error',
    message: 'SSH key with the same fingerprint already exists',
    details: { fields: [{ name: 'public_key' }] },
  })
  const broken = await project.call('POST', '/ssh_keys', {
    name: 'bad',
    public_key: 'ssh-rsa AAAA',
  })
  expect(broken.code).toBe('invalid_input')
})

test('Server type, protection and user data keep to their rules', async () => {
  await using project = await startProject()
  const server = await project.createServer('one', { user_data: '#cloud-config' })
  expect(project.world.machine(server.id)?.userData).toBe('#cloud-config')
  const bigger = { server_type: 'cx33', upgrade_disk: false }
  expect((await project.act('servers', server.id, 'change_type', bigger)).code).toBe(
    'server_not_stopped',
  )
  await project.act('servers', server.id, 'poweroff')
  const arm = { server_type: 'cax21', upgrade_disk: false }
  expect((await project.act('servers', server.id, 'change_type', arm)).code).toBe(
    'invalid_server_type',
  )
  await project.act('servers', server.id, 'change_type', bigger)
  const { body } = await project.call('GET', `/servers/${server.id}`)
  expect(body.server).toMatchObject({ server_type: { name: 'cx33' }, primary_disk_size: 40 })
  await project.act('servers', server.id, 'change_protection', { delete: true, rebuild: true })
  expect((await project.call('DELETE', `/servers/${server.id}`)).body.error.message).toBe(
    'server deletion is protected',
  )
  const rebuild = await project.act('servers', server.id, 'rebuild', { image: 'debian-13' })
  expect(rebuild.code).toBe('protected')
})
