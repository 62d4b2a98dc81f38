import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  cidrContains,
  cidrHasAddress,
  cidrHost,
  cidrSize,
  cidrSubnet,
  cidrsOverlap,
  formatCidr,
  isNetworkCidr,
  parseCidr,
} from '../../src/lib/cidr.ts'

const ranges = fc
  .tuple(fc.integer({ min: 8, max: 30 }), fc.nat({ max: 2 ** 30 }))
  .map(([prefix, seed]) => ({ prefix, first: (seed % 2 ** prefix) * 2 ** (32 - prefix) }))

describe('a range', () => {
  test('is read back as it was written', () => {
    fc.assert(
      fc.property(ranges, (range) => {
        expect(parseCidr(formatCidr(range))).toEqual(range)
      }),
    )
  })

  test('contains its own parts, which do not overlap one another', () => {
    fc.assert(
      fc.property(ranges, (range) => {
        const [low, high] = [cidrSubnet(range, 1, 0), cidrSubnet(range, 1, 1)]
        expect(cidrContains(range, low) && cidrContains(range, high)).toBe(true)
        expect(cidrsOverlap(low, high)).toBe(false)
        expect(cidrsOverlap(range, high)).toBe(true)
        expect(cidrSize(low) + cidrSize(high)).toBe(cidrSize(range))
      }),
    )
  })

  test('has its own hosts', () => {
    fc.assert(
      fc.property(ranges, fc.nat({ max: 3 }), (range, index) => {
        expect(cidrHasAddress(range, cidrHost(range, index))).toBe(true)
      }),
    )
  })

  test.each([
    ['10.0.64.0/19', 0, '10.0.64.0'],
    ['10.0.64.0/19', 257, '10.0.65.1'],
    ['10.0.1.0/24', -2, '10.0.1.254'],
    ['255.255.255.0/24', -1, '255.255.255.255'],
  ])('host %2$s of %s is %s', (range, index, address) => {
    expect(cidrHost(parseCidr(range) ?? { first: 0, prefix: 0 }, index)).toBe(address)
  })

  test.each(['10.0.0.1/16', '10.0.0.0/33', '10.0.0/8', '10.0.0.0', 'fd00::/8', '', '010.0.0.0/8'])(
    '%j is not an IPv4 range',
    (text) => expect(parseCidr(text)).toBeUndefined(),
  )

  test('host bits are refused in ranges of both families', () => {
    expect(isNetworkCidr('10.1.2.3/8')).toBe(false)
    expect(isNetworkCidr('10.0.0.0/8')).toBe(true)
    expect(isNetworkCidr('010.0.0.0/8')).toBe(false)
    expect(isNetworkCidr('::/0')).toBe(true)
    expect(isNetworkCidr('2001:db8::1/64')).toBe(false)
    expect(isNetworkCidr('2001:db8::/64')).toBe(true)
  })
})
