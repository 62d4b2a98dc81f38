import { describe, expect, test } from 'vitest'
import { alternatives, otherLocations } from '../../src/hetzner/alternatives.ts'
import { builderCandidates } from '../../src/hetzner/builder-candidates.ts'
import { findServerType } from '../../src/hetzner/catalogue.ts'
import { orderableFrom } from '../../src/hetzner/orderable.ts'
import { catalogue, now } from './catalogue-fixture.ts'

describe('what can be ordered', () => {
  const orderable = orderableFrom(catalogue, now)

  test('is what is sold in the place', () => {
    expect(orderable('cx23', 'hel1')).toEqual({ orderable: true })
  })

  test('is not what was retired there: something as good is named', () => {
    expect(orderable('cpx21', 'hel1')).toEqual({
      orderable: false,
      reason: 'cpx21 cannot be ordered in hel1 any more (since 2026-01-01)',
      instead: 'cpx22',
    })
  })

  test('is neither what is sold elsewhere only, nor what does not exist', () => {
    expect(orderable('cx23', 'ash')).toMatchObject({ reason: 'cx23 is not sold in ash' })
    expect(orderable('cx99', 'hel1')).toMatchObject({ orderable: false, instead: undefined })
  })

  test('is also what is shown as sold out, since that is only a hint', () => {
    const serverTypes = catalogue.serverTypes.map((type) => ({
      ...type,
      locations: type.locations.map((place) => ({ ...place, available: false })),
    }))
    expect(orderableFrom({ ...catalogue, serverTypes }, now)('cx23', 'hel1')).toEqual({
      orderable: true,
    })
  })

  test('may be had in another place of the same zone, or as another type', () => {
    const type = findServerType(catalogue, 'cx23')
    if (!type) throw new Error('the fixture has it')
    expect(otherLocations(catalogue, type, 'hel1', now)).toEqual(['fsn1', 'nbg1'])
    expect(alternatives(catalogue, type, 'hel1', now)).toEqual(['cx33', 'cpx22'])
  })
})

describe('where an image is built', () => {
  test('is the cheapest type with the smallest disk, near the cluster first', () => {
    const candidates = builderCandidates(catalogue, { arch: 'amd64', location: 'nbg1' }, now)
    expect(candidates.map(({ type, location }) => `${type} ${location}`)).toEqual([
      'cx23 nbg1',
      'cx23 fsn1',
      'cx23 hel1',
      'cx33 nbg1',
      'cpx22 nbg1',
    ])
  })

  test('is of the architecture that is asked for', () => {
    const candidates = builderCandidates(catalogue, { arch: 'arm64', location: 'hel1' }, now)
    expect(new Set(candidates.map(({ type }) => type))).toEqual(new Set(['cax11']))
  })

  test('has no larger disk than the servers that are made from it', () => {
    const options = { arch: 'amd64' as const, location: 'hel1', maxDiskGb: 40 }
    const candidates = builderCandidates(catalogue, options, now)
    expect(new Set(candidates.map(({ type }) => type))).toEqual(new Set(['cx23']))
  })
})
