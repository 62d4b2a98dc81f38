import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  compareVersions,
  kubernetesUpgradeAllowed,
  parseVersion,
  supportsKubernetes,
  talosRelease,
  talosReleases,
  upgradeAllowed,
  upgradePath,
} from '../../../src/spec/tables/version-matrix.ts'

describe('Versions', () => {
  it.each([
    ['v1.9.0', { major: 1, minor: 9, patch: 0, preRelease: undefined }],
    ['1.32.4', { major: 1, minor: 32, patch: 4, preRelease: undefined }],
    ['1.9', { major: 1, minor: 9, patch: 0, preRelease: undefined }],
    ['v1.13.0-rc.1', { major: 1, minor: 13, patch: 0, preRelease: 'rc.1' }],
    ['latest', undefined],
    ['v1', undefined],
    ['1.2.3.4', undefined],
  ])('%s is read', (text, version) => {
    expect(parseVersion(text)).toEqual(version)
  })

  it('are ordered by number, and a pre-release comes before its release', () => {
    const ordered = [
      '1.9.0-alpha.2',
      '1.9.0-rc.2',
      '1.9.0-rc.10',
      '1.9.0',
      '1.9.10',
      '1.10.0',
      '2.0.0',
    ]
    const index = fc.nat(ordered.length - 1)
    fc.assert(
      fc.property(index, index, (a, b) => {
        const [first, second] = [parseVersion(ordered[a] ?? ''), parseVersion(ordered[b] ?? '')]
        if (!first || !second) throw new Error('these are versions')
        expect(Math.sign(compareVersions(first, second))).toBe(Math.sign(a - b))
      }),
    )
  })
})

describe('Talos releases', () => {
  it('run six minors of Kubernetes each', () => {
    for (const { oldestKubernetes, newestKubernetes } of talosReleases) {
      const minors = [oldestKubernetes, newestKubernetes].map(
        (text) => parseVersion(text)?.minor ?? 0,
      )
      expect((minors[1] ?? 0) - (minors[0] ?? 0)).toBe(5)
    }
  })

  it('run the Kubernetes that they install themselves, in their newest patch', () => {
    for (const { newest, minor, defaultKubernetes } of talosReleases) {
      expect(talosRelease(newest)?.minor).toBe(minor)
      expect(supportsKubernetes(newest, defaultKubernetes)).toBe(true)
    }
  })

  it.each([
    ['v1.9.0', '1.27.0', true],
    ['v1.9.0', '1.32.9', true],
    ['v1.9.0', '1.26.9', false],
    ['v1.9.0', '1.33.0', false],
    ['v1.13.0', '1.36.0', true],
    ['v1.13.9', '1.37.0', false],
    ['v1.14.0', '1.37.2', true],
    ['v1.14.1', '1.36.3', true],
    ['v1.14.1', '1.31.0', false],
    ['v1.15.0', '1.38.0', true],
    ['v1.15.0', '1.32.0', false],
    ['v1.8.0', '1.30.0', false],
    ['v1.9.0', '2.30.0', false],
    ['v1.9.0', 'x', false],
  ])('%s with Kubernetes %s: %s', (talos, kubernetes, supported) => {
    expect(supportsKubernetes(talos, kubernetes)).toBe(supported)
  })
})

describe('Upgrades of Kubernetes', () => {
  it.each([
    ['1.35.1', '1.35.1', true],
    ['1.35.1', '1.35.4', true],
    ['1.35.4', '1.36.3', true],
    ['1.36.3', '1.37.2', true],
    ['1.35.4', '1.37.2', false],
    ['1.35.4', '1.35.1', false],
    ['1.36.0', '1.35.9', false],
    ['1.34.0', '1.36.0', false],
    ['nonsense', '1.36.0', false],
  ])('from %s to %s in one step: %s', (from, to, allowed) => {
    expect(kubernetesUpgradeAllowed(from, to).allowed).toBe(allowed)
  })

  it('say why not, and what to go through', () => {
    expect(kubernetesUpgradeAllowed('1.33.0', '1.36.0')).toEqual({
      allowed: false,
      reason:
        'Kubernetes goes up one minor release at a time, and from 1.33.0 to 1.36.0 there are 3',
      through: '1.34.1',
    })
    expect(kubernetesUpgradeAllowed('1.36.0', '1.35.0')).toMatchObject({
      reason: 'Kubernetes does not go back from 1.36.0 to 1.35.0',
      through: undefined,
    })
  })
})

describe('Upgrades of Talos', () => {
  it.each([
    ['v1.9.0', 'v1.9.0', true],
    ['v1.9.0', 'v1.9.5', true],
    ['v1.9.5', 'v1.9.0', false],
    ['v1.9.0', 'v1.10.9', true],
    ['v1.8.3', 'v1.9.0', true],
    ['v1.8.3', 'v1.10.0', false],
    ['v1.9.0', 'v1.11.6', false],
    ['v1.9.0', 'v1.12.0', false],
    ['v1.10.0', 'v1.12.0', false],
    ['v1.10.9', 'v1.13.0', false],
    ['v1.13.0', 'v1.12.0', false],
    ['v1.13.9', 'v1.14.1', true],
    ['v1.12.11', 'v1.14.1', false],
    ['v1.14.1', 'v1.15.0', true],
    ['v1.14.1', 'v1.16.0', false],
    ['nonsense', 'v1.12.0', false],
  ])('from %s to %s in one step: %s', (from, to, allowed) => {
    expect(upgradeAllowed(from, to).allowed).toBe(allowed)
  })

  it('say why not, and what to go through', () => {
    expect(upgradeAllowed('v1.9.0', 'v1.13.0')).toEqual({
      allowed: false,
      reason: 'Talos goes up one minor release at a time, and from v1.9.0 to v1.13.0 there are 4',
      through: 'v1.10.9',
    })
    expect(upgradeAllowed('v1.13.0', 'v1.12.0')).toMatchObject({
      reason: 'Talos does not go back from v1.13.0 to v1.12.0',
      through: undefined,
    })
    expect(upgradeAllowed('v1.7.0', 'v1.8.0')).toMatchObject({
      reason: 'v1.8.0 is not a version that is supported',
    })
  })

  it('go one minor at a time, by way of the newest patches', () => {
    expect(upgradePath('v1.9.0', 'v1.12.3')).toEqual(['v1.10.9', 'v1.11.6', 'v1.12.3'])
    expect(upgradePath('v1.9.0', 'v1.9.6')).toEqual(['v1.9.6'])
    expect(upgradePath('v1.12.0', 'v1.9.6')).toEqual([])
  })

  it('can always be made together with one of Kubernetes, in one order or the other', () => {
    const kubernetes = fc.integer({ min: 27, max: 37 }).map((minor) => `1.${minor}.0`)
    const version = fc.constantFrom(...talosReleases.map(({ newest }) => newest))
    fc.assert(
      fc.property(version, version, kubernetes, kubernetes, (from, to, before, after) => {
        fc.pre(supportsKubernetes(from, before) && supportsKubernetes(to, after))
        fc.pre(upgradeAllowed(from, to).allowed && kubernetesUpgradeAllowed(before, after).allowed)
        expect(supportsKubernetes(to, before) || supportsKubernetes(from, after)).toBe(true)
      }),
    )
  })

  it('have a path of allowed steps wherever they have a path', () => {
    const version = fc.constantFrom(...talosReleases.map(({ newest }) => newest))
    fc.assert(
      fc.property(version, version, (from, to) => {
        let current = from
        for (const step of upgradePath(from, to)) {
          expect(upgradeAllowed(current, step)).toEqual({ allowed: true })
          current = step
        }
      }),
    )
  })
})
