import { expect, test } from 'vitest'
import { startProject } from './project.ts'

test('Types tell where they are sold, and where not any more', async () => {
  await using project = await startProject()
  const { body } = await project.call('GET', '/server_types?per_page=50')
  const byName = new Map(body.server_types.map((type: { name: string }) => [type.name, type]))
  expect(byName.get('cpx21')).toMatchObject({ deprecated: false, deprecation: null })
  const cpx21 = await project.call('GET', '/server_types?name=cpx21')
  const { locations } = cpx21.body.server_types[0]
  const sold = locations
    .filter(({ deprecation }: { deprecation: unknown }) => deprecation === null)
    .map(({ name }: { name: string }) => name)
  expect(sold).toEqual(['ash', 'hil', 'sin'])
})

test('Prices are decimal strings, per location', async () => {
  await using project = await startProject()
  const { body } = await project.call('GET', '/pricing')
  const cx23 = body.pricing.server_types.find(({ name }: { name: string }) => name === 'cx23')
  expect(cx23.prices[0].price_monthly).toEqual({ net: '5.4900000000', gross: '6.5331000000' })
  expect(body.pricing.currency).toBe('EUR')
})

test('What Hetzner removed answers 410', async () => {
  await using project = await startProject()
  const gone = await project.call('GET', '/datacenters')
  expect([gone.status, gone.code]).toEqual([410, 'deprecated_api_endpoint'])
  expect((await project.call('GET', '/actions')).status).toBe(410)
})
