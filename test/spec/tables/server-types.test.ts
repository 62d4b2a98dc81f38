import { describe, expect, it } from 'vitest'
import { builtInServerTypes } from '../../../src/spec/tables/built-in-server-types.ts'
import { locationNames } from '../../../src/spec/tables/locations.ts'
import { findServerType, orderability } from '../../../src/spec/tables/server-types.ts'

describe('Whether a server can be ordered', () => {
  it.each([
    ['cx23', 'hel1', 'amd64', true, undefined],
    ['cpx21', 'ash', 'amd64', true, undefined],
    ['cpx21', 'hel1', 'amd64', false, 'cpx22'],
    ['cpx51', 'fsn1', 'amd64', false, 'cpx52'],
    ['cx22', 'nbg1', 'amd64', false, 'cx23'],
    ['cx52', 'nbg1', 'amd64', false, 'cx53'],
    ['cx23', 'ash', 'amd64', false, 'cpx21'],
    ['cx22', 'ash', 'amd64', false, 'cpx21'],
    ['cax11', 'sin', 'arm64', false, undefined],
    ['cax21', 'hel1', 'amd64', false, 'cx33'],
    ['cx23', 'hel1', 'arm64', false, 'cax11'],
    ['ccx13', 'hel1', 'arm64', false, undefined],
    ['t3.medium', 'hel1', 'amd64', false, undefined],
  ] as const)('%s in %s as %s: %s, else %s', (type, location, arch, orderable, instead) => {
    const verdict = orderability(type, location, arch, builtInServerTypes)
    expect(verdict.orderable).toBe(orderable)
    expect(verdict.orderable ? undefined : verdict.instead).toBe(instead)
  })

  it('has a reason', () => {
    const reason = (type: string, location: string, arch: 'amd64' | 'arm64') => {
      const verdict = orderability(type, location, arch, builtInServerTypes)
      return verdict.orderable ? '' : verdict.reason
    }
    expect(reason('cpx21', 'hel1', 'amd64')).toBe(
      'cannot be ordered in hel1 any more (since 2026-01-01)',
    )
    expect(reason('cx23', 'ash', 'amd64')).toBe('is not sold in ash')
    expect(reason('cx23', 'hel1', 'arm64')).toBe('has the architecture amd64, not arm64')
    expect(reason('x', 'hel1', 'arm64')).toBe('is not a server type that Hetzner has')
  })

  it('depends on the day of the catalogue: what retires later is still sold', () => {
    const earlier = { ...builtInServerTypes, asOf: '2025-12-31' }
    expect(orderability('cpx21', 'hel1', 'amd64', earlier)).toEqual({ orderable: true })
  })

  it('leads to something that can be ordered, wherever it leads', () => {
    for (const { name, architecture } of builtInServerTypes.types) {
      for (const location of locationNames) {
        const verdict = orderability(name, location, architecture, builtInServerTypes)
        const instead = verdict.orderable ? name : verdict.instead
        if (instead === undefined) continue
        expect(orderability(instead, location, architecture, builtInServerTypes)).toEqual({
          orderable: true,
        })
        expect(findServerType(instead, builtInServerTypes)?.architecture).toBe(architecture)
      }
    }
  })
})

describe('The built-in catalogue', () => {
  it('names every type once, and every location by its name', () => {
    const names = builtInServerTypes.types.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    const places = builtInServerTypes.types.flatMap(({ locations }) =>
      locations.map(({ name }) => name),
    )
    expect(places.filter((place) => !locationNames.includes(place))).toEqual([])
  })
})
