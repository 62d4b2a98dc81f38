import { afterAll, expect, it } from 'vitest'
import type { ApiCall } from './api-call.ts'

/** What the contract makes carries this label, and is deleted in the end. */
const label = { purpose: 'contract' }
const selector = 'label_selector=purpose%3Dcontract'

/** A list trails behind what was made. */
const trailing = { timeout: 60_000, interval: 500 }

/**
 * How Hetzner's API behaves that the product relies on. It makes a server for some seconds, and else only
 * what costs nothing.
 */
export function hetznerContract(call: ApiCall): void {
  const made: string[] = []

  async function create(kind: string, body: object) {
    const answer = await call('POST', `/${kind}s`, { labels: label, ...body })
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 })
    const thing = answer.body[kind]
    made.push(`/${kind}s/${thing.id}`)
    return { ...answer.body, thing }
  }

  afterAll(async () => {
    for (const path of made.toReversed()) await call('DELETE', path)
  })

  const network = (name: string, ip_range = '10.0.0.0/16') => create('network', { name, ip_range })
  /** One with a subnet, so that servers find room in it. */
  async function networkForServers(name: string, prefix: string) {
    const { thing } = await network(name, `${prefix}.0.0/16`)
    const subnet = { type: 'cloud', network_zone: 'eu-central', ip_range: `${prefix}.1.0/24` }
    const { status, body } = await call('POST', `/networks/${thing.id}/actions/add_subnet`, subnet)
    expect(status).toBe(201)
    await expect.poll(() => ended(body.action.id), trailing).toEqual(['success'])
    return thing
  }
  const firewall = (name: string) => create('firewall', { name, rules: [] })
  const ended = async (...ids: number[]) => {
    const { body } = await call('GET', `/actions?${ids.map((id) => `id=${id}`).join('&')}`)
    return body.actions.map(({ status }: { status: string }) => status)
  }

  it('a list comes in pages, each with the number of the next and how many there are', async () => {
    await network('contract-page-1')
    await network('contract-page-2')
    const page = (number: number) => call('GET', `/networks?${selector}&page=${number}&per_page=1`)
    const total = async () => (await page(1)).body.meta.pagination.total_entries
    await expect.poll(total, trailing).toBeGreaterThanOrEqual(2)
    const { status, body } = await page(1)
    expect(status).toBe(200)
    expect(body.networks).toHaveLength(1)
    expect(body.meta.pagination).toMatchObject({
      page: 1,
      per_page: 1,
      previous_page: null,
      next_page: 2,
    })
    expect((await page(2)).body.meta.pagination).toMatchObject({ page: 2, previous_page: 1 })
  })

  it('a list by label has what carries it and nothing else, by ascending ids', async () => {
    const one = await firewall('contract-list-1')
    const two = await firewall('contract-list-2')
    const ids = async () => {
      const { body } = await call('GET', `/firewalls?${selector}`)
      return body.firewalls.map(({ id }: { id: number }) => id)
    }
    await expect.poll(ids, trailing).toEqual(expect.arrayContaining([one.thing.id, two.thing.id]))
    expect(await ids()).toEqual((await ids()).toSorted((a: number, b: number) => a - b))
    const nobody = await call('GET', '/firewalls?label_selector=purpose%3Dnobody')
    expect(nobody.body.firewalls).toEqual([])
  })

  it.each([
    'server',
    'network',
    'firewall',
    'placement_group',
    'load_balancer',
    'ssh_key',
    'volume',
  ])(
    'lists of %ss by label are empty where nothing carries it, and an id that is none is not_found',
    async (kind) => {
      const list = await call('GET', `/${kind}s?label_selector=purpose%3Dnobody&page=1&per_page=50`)
      expect(list.status).toBe(200)
      expect(list.body).toMatchObject({
        [`${kind}s`]: [],
        meta: { pagination: { next_page: null, total_entries: 0 } },
      })
      expect(await call('GET', `/${kind}s/1`)).toMatchObject({
        status: 404,
        body: { error: { code: 'not_found' } },
      })
    },
  )

  it('a name is taken once, and the second is a uniqueness_error', async () => {
    await network('contract-unique')
    const again = await call('POST', '/networks', {
      name: 'contract-unique',
      ip_range: '10.0.0.0/16',
    })
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'uniqueness_error' } } })
  })

  it('rules of a firewall are set all at once, and its actions are asked by their ids together', async () => {
    const { thing } = await firewall('contract-rules')
    const rule = {
      direction: 'in',
      protocol: 'tcp',
      port: '50000',
      source_ips: ['203.0.113.1/32'],
      description: 'contract',
    }
    const set = (rules: object[]) =>
      call('POST', `/firewalls/${thing.id}/actions/set_rules`, { rules })
    const [first] = (await set([rule])).body.actions
    const read = await call('GET', `/firewalls/${thing.id}`)
    expect(read.body.firewall.rules).toMatchObject([rule])
    await expect.poll(() => ended(first.id), trailing).toEqual(['success'])
    const [second] = (await set([])).body.actions
    await expect.poll(() => ended(first.id, second.id), trailing).toEqual(['success', 'success'])
    expect((await call('GET', `/firewalls/${thing.id}`)).body.firewall.rules).toEqual([])
  })

  it('a server is made off in a network and a group, joins another, is turned on and off, and is gone as soon as it is deleted', async () => {
    const net = await networkForServers('contract-server', '10.0')
    const other = await networkForServers('contract-attached', '10.1')
    const { thing: group } = await create('placement_group', {
      name: 'contract-group',
      type: 'spread',
    })
    expect(group).toMatchObject({ type: 'spread', servers: [] })
    const { thing, action, next_actions } = await create('server', {
      name: 'contract-server',
      server_type: 'cx23',
      location: 'hel1',
      image: 'debian-13',
      networks: [net.id],
      placement_group: group.id,
      public_net: { enable_ipv4: false, enable_ipv6: false },
      start_after_create: false,
    })
    const actions = [action, ...next_actions].map(({ id }: { id: number }) => id)
    const states = async () => new Set(await ended(...actions))
    await expect.poll(states, trailing).toEqual(new Set(['success']))
    const read = await call('GET', `/servers/${thing.id}`)
    expect(read).toMatchObject({
      status: 200,
      body: {
        server: {
          id: thing.id,
          name: 'contract-server',
          status: 'off',
          labels: label,
          private_net: [{ network: net.id, ip: expect.stringMatching(/^10\.0\.1\./) }],
          public_net: { ipv4: null, ipv6: null },
          placement_group: { id: group.id },
        },
      },
    })
    const act = async (name: string, input: object = {}) => {
      const path = `/servers/${thing.id}/actions/${name}`
      const { status, body: answer } = await call('POST', path, input)
      expect(status, name).toBe(201)
      await expect.poll(() => ended(answer.action.id), trailing).toEqual(['success'])
      return (await call('GET', `/servers/${thing.id}`)).body.server
    }
    const { private_net: nets } = await act('attach_to_network', { network: other.id })
    expect(nets.map(({ network: id }: { network: number }) => id)).toEqual([net.id, other.id])
    expect((await act('poweron')).status).toMatch(/^(starting|running)$/)
    expect((await act('poweroff')).status).toBe('off')
    const { body } = await call('DELETE', `/servers/${thing.id}`)
    await expect.poll(() => ended(body.action.id), trailing).toEqual(['success'])
    expect((await call('GET', `/servers/${thing.id}`)).status).toBe(404)
  })

  it('the catalogue has what a plan needs of types, locations, images and prices', async () => {
    const [types, balancers, locations, images, pricing] = await Promise.all([
      call('GET', '/server_types?per_page=50'),
      call('GET', '/load_balancer_types?per_page=50'),
      call('GET', '/locations?per_page=50'),
      call('GET', '/images?type=system&per_page=50'),
      call('GET', '/pricing'),
    ])
    expect(types.body.server_types).toContainEqual(
      expect.objectContaining({ name: 'cx23', architecture: 'x86', disk: expect.any(Number) }),
    )
    expect(balancers.body.load_balancer_types).toContainEqual(
      expect.objectContaining({ name: 'lb11', max_targets: expect.any(Number) }),
    )
    expect(locations.body.locations).toContainEqual(
      expect.objectContaining({ name: 'hel1', network_zone: 'eu-central' }),
    )
    expect(images.body.images).toContainEqual(
      expect.objectContaining({ name: 'debian-13', type: 'system', status: 'available' }),
    )
    expect(pricing.body.pricing).toMatchObject({ currency: 'EUR', server_types: expect.any(Array) })
  })
}
