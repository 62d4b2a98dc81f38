import { expect, test } from 'vitest'
import {
  kubernetesRefusal,
  parseTalosVersion,
  upgradeRefusal,
} from '../../../src/sandbox/talos/talos-version.ts'

function version(tag: string) {
  const parsed = parseTalosVersion(tag)
  if (parsed === undefined) throw new Error(tag)
  return parsed
}

test.each([
  ['v1.12.0', 'v1.13.0', undefined],
  ['v1.11.6', 'v1.13.0', undefined],
  ['v1.10.9', 'v1.13.0', 'host version 1.10.9 is too old to upgrade to Talos 1.13.0'],
  ['v1.8.0', 'v1.10.9', undefined],
  ['v1.13.0', 'v1.12.0', undefined],
  ['v1.13.0', 'v1.11.0', 'host version 1.13.0 is too new to downgrade to Talos 1.11.0'],
  ['v1.13.0', 'v1.13.9', undefined],
  ['v1.13.0', 'v2.0.0', 'upgrades to version 2.0.0 are not supported'],
])('from %s to %s the installer says %s', (host, target, expected) => {
  expect(upgradeRefusal(version(host), version(target))).toBe(expected)
})

test('each Talos supports six minors of Kubernetes', () => {
  const supported = (talos: string) =>
    Array.from({ length: 20 }, (_, index) => index + 22).filter(
      (minor) => kubernetesRefusal(version(talos), `1.${minor}.0`) === undefined,
    )
  expect(supported('v1.9.0')).toEqual([27, 28, 29, 30, 31, 32])
  expect(supported('v1.13.9')).toEqual([31, 32, 33, 34, 35, 36])
  expect(supported('v1.14.0-rc.1')).toEqual([32, 33, 34, 35, 36, 37])
})

test('what is no version is none', () => {
  expect(parseTalosVersion('1.13.0')?.tag).toBe('v1.13.0')
  expect(parseTalosVersion('latest')).toBeUndefined()
  expect(parseTalosVersion('v1.13')).toBeUndefined()
})
