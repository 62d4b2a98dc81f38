import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { FactoryState } from '../../src/sandbox/factory/factory-state.ts'
import { parseTalosVersion, upgradeRefusal } from '../../src/sandbox/talos/talos-version.ts'
import { releases as kubernetesTables } from '../../src/spec/gen/kubernetes-settings.ts'
import { kubernetesSupportEnds, talosSupportEnds } from '../../src/spec/tables/support-ends.ts'
import {
  newFileVersions,
  parseVersion,
  supportsKubernetes,
  talosReleases,
} from '../../src/spec/tables/version-matrix.ts'
import { releases as talosTables } from '../../src/talos/config/gen/talos-fields.ts'
import { contractOf } from '../../src/talos/config/version-contract.ts'
import { kubernetesReleases } from '../peers/kubernetes-versions/kubernetes-releases.ts'
import { modFiles, minors as talosPeers } from '../peers/talos-versions/mod-files.ts'

const root = resolve(import.meta.dirname, '..', '..')
const guide = readFileSync(resolve(root, 'docs/new-version.md'), 'utf8')
const talos = talosReleases.map(({ minor }) => minorOf(minor))
const kubernetes = [
  ...new Set(
    talosReleases.flatMap(({ oldestKubernetes, newestKubernetes }) => {
      const [oldest, newest] = [minorOf(oldestKubernetes), minorOf(newestKubernetes)]
      return Array.from({ length: newest - oldest + 1 }, (_, step) => oldest + step)
    }),
  ),
].sort(ascending)

function minorOf(version: string): number {
  return parseVersion(version)?.minor ?? Number.NaN
}

function ascending(a: number, b: number): number {
  return a - b
}

test('every minor of Talos has its place in each table', () => {
  expect(Object.keys(talosTables).map(Number).sort(ascending)).toEqual(talos)
  expect(talosPeers).toEqual(talos)
  expect(talosSupportEnds.map(({ minor }) => minorOf(minor))).toEqual(talos)
  for (const { newest } of talosReleases) {
    expect(contractOf(newest).minor).toBeLessThanOrEqual(minorOf(newest))
    expect(new FactoryState().versions).toContain(newest)
  }
})

test('every minor of Kubernetes has its place in each table', () => {
  expect(Object.keys(kubernetesTables).map(Number).sort(ascending)).toEqual(kubernetes)
  expect(kubernetesReleases.map(minorOf)).toEqual(kubernetes)
  expect(kubernetesSupportEnds.map(({ minor }) => minorOf(minor))).toEqual(kubernetes)
})

test('the World installs each Talos over the one before', () => {
  for (const [index, { newest }] of talosReleases.entries()) {
    const [host, target] = [talosReleases[index - 1]?.newest, newest].map((tag) =>
      parseTalosVersion(tag ?? ''),
    )
    if (host && target) expect(upgradeRefusal(host, target)).toBeUndefined()
  }
})

test('the peer of each Talos is its newest module, the newest of all in go.mod', () => {
  for (const minor of talosPeers) {
    const file = resolve(root, 'test/peers/talos-versions', modFiles[minor])
    expect(readFileSync(file, 'utf8')).toContain(
      `pkg/machinery v1.${minor}.${talosTables[minor]}\n`,
    )
  }
  expect(modFiles[14]).toBe('go.mod')
})

test('what init writes are versions that go together', () => {
  const { talos: version, kubernetes: beside } = newFileVersions
  expect(version).toBe(talosReleases.at(-1)?.newest)
  expect(supportsKubernetes(version, beside)).toBe(true)
})

test('the guide names files and folders that are there', () => {
  const named = [...guide.matchAll(/`((?:src|test)\/[\w./-]+)`/g)].map(([, path = '']) => path)
  expect(named.length).toBeGreaterThan(10)
  for (const path of named) expect(existsSync(resolve(root, path)), path).toBe(true)
})
