import { expect, test } from 'vitest'
import { startProject } from './project.ts'

const rule = (port: string, ...source_ips: string[]) => ({
  direction: 'in',
  protocol: 'tcp',
  port,
  source_ips,
})

test('A server without a firewall admits everybody, with one only whom a rule lets in', async () => {
  await using project = await startProject()
  const server = await project.createServer('one', { labels: { role: 'web' } })
  const machine = project.world.machine(server.id)
  if (machine === undefined) throw new Error('no machine')
  const admits = (port: number, source: string) =>
    project.world.admits(machine, 'tcp', port, source)
  expect(admits(22, '203.0.113.1')).toBe(true)
  const { firewall } = await project.create('/firewalls', {
    name: 'fw',
    rules: [rule('80', '203.0.113.0/24'), rule('6443-6450', '0.0.0.0/0', '::/0')],
    apply_to: [{ type: 'label_selector', label_selector: { selector: 'role=web' } }],
  })
  expect(admits(80, '203.0.113.1')).toBe(true)
  expect(admits(80, '::ffff:203.0.113.1')).toBe(true)
  expect(admits(80, '203.0.114.1')).toBe(false)
  expect(admits(6444, '127.0.0.1')).toBe(true)
  expect(admits(50000, '127.0.0.1')).toBe(false)
  expect(project.world.admits(machine, 'udp', 80, '203.0.113.1')).toBe(false)
  // A second firewall can only let more in.
  await project.create('/firewalls', {
    name: 'access',
    rules: [rule('50000', '127.0.0.1/32')],
    apply_to: [{ type: 'server', server: { id: server.id } }],
  })
  expect(admits(50000, '127.0.0.1')).toBe(true)
  await project.act('firewalls', firewall.id, 'set_rules', { rules: [] })
  expect(admits(80, '203.0.113.1')).toBe(false)
})

test('A selector finds new servers and labels only after a while', async () => {
  let now = 1_800_000_000_000
  await using project = await startProject({ clock: { now: () => now, sleep: async () => {} } })
  project.world.faults.selectorLagMs = 3_000
  const { firewall } = await project.create('/firewalls', {
    name: 'fw',
    apply_to: [{ type: 'label_selector', label_selector: { selector: 'role=web' } }],
  })
  const server = await project.createServer('one', { labels: { role: 'web' } })
  const appliedTo = async () =>
    (await project.call('GET', `/firewalls/${firewall.id}`)).body.firewall.applied_to[0]
      .applied_to_resources
  expect(await appliedTo()).toEqual([])
  now += 3_000
  expect(await appliedTo()).toEqual([{ type: 'server', server: { id: server.id } }])
  await project.call('PUT', `/servers/${server.id}`, { labels: {} })
  expect(await appliedTo()).toHaveLength(1)
  now += 3_000
  expect(await appliedTo()).toEqual([])
})

test('A firewall cannot be deleted while anything names it, even a selector that finds nobody', async () => {
  await using project = await startProject()
  const use = { type: 'label_selector', label_selector: { selector: 'nobody' } }
  const { firewall } = await project.create('/firewalls', { name: 'fw', apply_to: [use] })
  const refused = await project.call('DELETE', `/firewalls/${firewall.id}`)
  expect(refused.body.error.message).toBe(`firewall with ID ${firewall.id} is still in use`)
  await project.act('firewalls', firewall.id, 'remove_from_resources', { remove_from: [use] })
  expect((await project.call('DELETE', `/firewalls/${firewall.id}`)).status).toBe(204)
})

test.for([
  rule('80', '10.1.2.3/8'),
  rule('80', 'nowhere'),
  rule('70000', '0.0.0.0/0'),
  rule('90-80', '0.0.0.0/0'),
  { direction: 'in', protocol: 'tcp', source_ips: ['0.0.0.0/0'] },
  { direction: 'in', protocol: 'icmp', port: '80', source_ips: ['0.0.0.0/0'] },
  { direction: 'in', protocol: 'tcp', port: '80' },
  { direction: 'in', protocol: 'tcp', port: '80', source_ips: ['::/0'], destination_ips: ['::/0'] },
])('The rule %o is refused', async (bad) => {
  await using project = await startProject()
  const { code } = await project.call('POST', '/firewalls', { name: 'fw', rules: [bad] })
  expect(code).toBe('invalid_input')
})

test('Direct application wins over a selector, and each can be had once', async () => {
  await using project = await startProject()
  const server = await project.createServer('one', { labels: { role: 'web' } })
  const direct = { type: 'server', server: { id: server.id } }
  const selector = { type: 'label_selector', label_selector: { selector: 'role=web' } }
  const { firewall } = await project.create('/firewalls', { name: 'fw', apply_to: [selector] })
  const managed = await project.act('firewalls', firewall.id, 'remove_from_resources', {
    remove_from: [direct],
  })
  expect(managed.code).toBe('firewall_managed_by_label_selector')
  const applied = await project.act('firewalls', firewall.id, 'apply_to_resources', {
    apply_to: [direct],
  })
  expect(applied.body.actions[0].resources).toEqual([
    { id: server.id, type: 'server' },
    { id: firewall.id, type: 'firewall' },
  ])
  const again = await project.act('firewalls', firewall.id, 'apply_to_resources', {
    apply_to: [direct],
  })
  expect(again.code).toBe('firewall_already_applied')
  const nobody = await project.act('firewalls', firewall.id, 'apply_to_resources', {
    apply_to: [{ type: 'server', server: { id: 1 } }],
  })
  expect([nobody.status, nobody.code]).toEqual([404, 'firewall_resource_not_found'])
})
