import { describe, expect, test } from 'vitest'
import * as address from '../../../../src/talos/config/validate/forms/address.ts'
import {
  isByteSize,
  isSize,
  isSizeCondition,
  parseByteSize,
} from '../../../../src/talos/config/validate/forms/byte-size.ts'
import { parseDuration } from '../../../../src/talos/config/validate/forms/duration.ts'
import { isEndpointUrl, parseGoUrl } from '../../../../src/talos/config/validate/forms/go-url.ts'

const newest = 13

describe.each<[name: string, isGood: (text: string) => boolean, good: string[], bad: string[]]>([
  [
    'an address',
    address.isIpAddress,
    ['10.0.0.1', '::', 'fe80::1%eth0', '::ffff:10.0.0.1'],
    ['', '10.0.0', '10.0.0.01', '10.0.0.1%eth0', 'fe80::1%', '[::1]', '10.0.0.0/8'],
  ],
  [
    'a prefix',
    address.isIpPrefix,
    ['10.0.0.1/8', '0.0.0.0/0', 'fd00::/128'],
    ['10.0.0.0', '10.0.0.0/33', '10.0.0.0/08', 'fd00::/129', 'fe80::1%eth0/64', '/8'],
  ],
  [
    'an address with a port',
    address.isAddressWithPort,
    ['10.0.0.1:0', '[fd00::1]:65535', '[fe80::1%eth0]:1'],
    ['10.0.0.1', '10.0.0.1:65536', 'fd00::1:80', '[10.0.0.1]:80', 'a.example:80'],
  ],
  [
    'a subnet, or its exclusion',
    address.isSubnetPattern,
    ['!10.0.0.0/8', '10.0.0.1'],
    ['!', '!!10.0.0.0/8'],
  ],
  [
    'the address that means any',
    address.isUnspecified,
    ['0.0.0.0', '::', '::/0', '0.0.0.0/0'],
    ['10.0.0.0', '::1', ''],
  ],
  [
    'the URL of something to talk to',
    isEndpointUrl,
    ['https://a', 'https://a:6443', 'https://[fd00::1]:6443/x?y#z', 'https://u:p@a', 'x://a'],
    [
      '',
      'a',
      '/a',
      'https://',
      'https://a b',
      'https://a:b',
      'https://a:70000',
      'https://fd00::1:80',
      ':a',
    ],
  ],
  [
    'a size',
    (text) => isByteSize(text, newest),
    ['', '5', '1.5 GiB', '1,000kb', '-5MB', '10GB'],
    ['GB', '10 XB', '1.2.3', '-', '99999999EB'],
  ],
  [
    'a size or a part',
    (text) => isSize(text, newest),
    ['80%', '-20.5%', '5GB'],
    ['101%', '%', '80%%'],
  ],
  [
    'a condition on a size',
    isSizeCondition,
    ['5GB', '>= 5GB', '<5', '== 5 tb'],
    ['', '>', '=> 5GB'],
  ],
])('%s', (_, isGood, good, bad) => {
  test.each(good)('is %j', (text) => expect(isGood(text)).toBe(true))
  test.each(bad)('is not %j', (text) => expect(isGood(text)).toBe(false))
})

test('sizes are negative since 1.13', () => {
  expect(isByteSize('-5MB', 12)).toBe(false)
})

test('units count by thousands, or by 1024 with an i', () => {
  expect(parseByteSize('2KB')).toBe(2000)
  expect(parseByteSize('2 kib')).toBe(2048)
  expect(parseByteSize('1.5M')).toBe(1_500_000)
})

test('durations have units, and add up', () => {
  expect(parseDuration('1h30m')).toBe(5400)
  expect(parseDuration('-1.5s')).toBe(-1.5)
  expect(parseDuration('0')).toBe(0)
  for (const bad of ['', '5', '1 h', 's', '1h30', '1d']) expect(parseDuration(bad)).toBeUndefined()
})

test('a URL comes apart as in Go', () => {
  expect(parseGoUrl('TCP://user@a.example:80/path?query')).toEqual({
    scheme: 'tcp',
    host: 'a.example:80',
    hostname: 'a.example',
    port: '80',
    path: '/path',
  })
  expect(parseGoUrl('//a/b')).toMatchObject({ scheme: '', hostname: 'a', path: '/b' })
  expect(parseGoUrl('mailto:a')).toMatchObject({ scheme: 'mailto', host: '', path: '' })
  expect(parseGoUrl('https://a/%zz')).toBeUndefined()
  expect(parseGoUrl('a\nb')).toBeUndefined()
})
