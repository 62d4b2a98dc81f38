import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cidrContains, cidrsOverlap, formatCidr, parseCidr } from '../../src/lib/cidr.ts'
import { deriveRanges, resolveNetwork } from '../../src/spec/derive-ranges.ts'
import { loadSpec } from '../../src/spec/load-spec.ts'
import { sampleAnd } from './sample-file.ts'

const network = fc
  .tuple(
    fc.constantFrom('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'),
    fc.integer({ min: 8, max: 22 }),
    fc.nat(2 ** 24),
  )
  .map(([whole, wanted, seed]) => {
    const outer = parseCidr(whole)
    if (!outer) throw new Error('a range')
    const prefix = Math.max(wanted, outer.prefix)
    const parts = 2 ** (prefix - outer.prefix)
    return { first: outer.first + (seed % parts) * 2 ** (32 - prefix), prefix }
  })

describe('Derived ranges', () => {
  it('of 10.0.0.0/16 are the documented ones', () => {
    const ranges = deriveRanges({ first: 10 * 2 ** 24, prefix: 16 })
    expect(Object.entries(ranges).map(([name, range]) => `${name} ${formatCidr(range)}`)).toEqual([
      'loadBalancerRange 10.0.32.0/24',
      'nodeRange 10.0.64.0/19',
      'serviceRange 10.0.96.0/19',
      'podRange 10.0.128.0/17',
    ])
  })

  it('of the largest network keep to what Kubernetes takes', () => {
    const { serviceRange } = deriveRanges({ first: 10 * 2 ** 24, prefix: 8 })
    expect(formatCidr(serviceRange)).toBe('10.96.0.0/12')
  })

  it('lie inside the network, apart from each other and from its first addresses', () => {
    fc.assert(
      fc.property(network, (whole) => {
        const ranges = Object.values(deriveRanges(whole))
        for (const [index, range] of ranges.entries()) {
          expect(parseCidr(formatCidr(range))).toEqual(range)
          expect(cidrContains(whole, range)).toBe(true)
          expect(range.first).toBeGreaterThan(whole.first + 1)
          for (const other of ranges.slice(0, index)) expect(cidrsOverlap(range, other)).toBe(false)
        }
      }),
    )
  })

  it('make a cluster of two nodes load, whatever the network', () => {
    fc.assert(
      fc.property(network, (whole) => {
        const text = sampleAnd(`network:\n  cidr: ${formatCidr(whole)}`)
        const small = text.replace('count: 3', 'count: 1').replace('count: 2', 'count: 1')
        expect(loadSpec(small).findings).toEqual([])
      }),
      { numRuns: 50 },
    )
  })

  it('give way to those that the file gives', () => {
    const file = {
      cidr: '10.0.0.0/16',
      nodeRange: '10.0.1.0/24',
      dnsDomain: 'cluster.local',
      publicIpv4: { controlPlane: true, workers: true },
      publicIpv6: { controlPlane: true, workers: true },
    }
    expect(resolveNetwork(file)).toMatchObject({
      nodeRange: '10.0.1.0/24',
      podRange: '10.0.128.0/17',
    })
  })
})
