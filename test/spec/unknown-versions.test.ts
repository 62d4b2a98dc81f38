import { describe, expect, test } from 'vitest'
import { loadSpec } from '../../src/spec/load-spec.ts'

/** What is said of a file with these versions, as `severity path`. */
function findingsOf(talos: string, kubernetes: string, policy?: 'refuse' | 'warn'): string[] {
  const text = JSON.stringify({
    clusterName: 'demo',
    hetzner: { region: 'hel1' },
    nodes: { controlPlane: { count: 3, type: 'cx23' }, workers: { count: 1, type: 'cx33' } },
    talos: { version: talos },
    kubernetes: { version: kubernetes },
    ...(policy && { policy: { unknownVersions: policy } }),
  })
  return loadSpec(text, { fileName: 'cluster.yaml' })
    .findings.filter(({ path }) => path.at(-1) === 'version')
    .map(({ severity, path }) => `${severity} ${path.join('.')}`)
}

describe('versions that came after this one', () => {
  test.each([
    ['a Talos', 'v1.15.0', '1.37.2'],
    ['both', 'v1.15.0', '1.38.0'],
  ])('%s is refused, with the way to go ahead', (_, talos, kubernetes) => {
    expect(findingsOf(talos, kubernetes)).toEqual(['error talos.version'])
    expect(findingsOf(talos, kubernetes, 'refuse')).toEqual(['error talos.version'])
  })

  test('a Kubernetes is refused', () => {
    expect(findingsOf('v1.14.1', '1.38.0')).toEqual(['error kubernetes.version'])
  })

  test.each([
    ['a Talos with a Kubernetes of its range', 'v1.15.0', '1.38.0', ['warning talos.version']],
    ['a Talos with one of the known', 'v1.15.0', '1.33.0', ['warning talos.version']],
    ['a Kubernetes', 'v1.14.1', '1.38.0', ['warning kubernetes.version']],
    [
      'both, too far apart',
      'v1.15.0',
      '1.40.0',
      ['warning talos.version', 'warning kubernetes.version'],
    ],
  ])('%s is a warning by policy', (_, talos, kubernetes, expected) => {
    expect(findingsOf(talos, kubernetes, 'warn')).toEqual(expected)
  })

  test.each([
    ['a Talos that is too old', 'v1.8.4', '1.32.0', ['error talos.version']],
    [
      'a Kubernetes that a known Talos left behind',
      'v1.14.1',
      '1.31.0',
      ['error kubernetes.version'],
    ],
    [
      'a Kubernetes that a new Talos left behind',
      'v1.15.0',
      '1.32.0',
      ['warning talos.version', 'error kubernetes.version'],
    ],
    ['a Kubernetes that a later Talos runs', 'v1.13.9', '1.37.2', ['error kubernetes.version']],
  ])('%s is refused whatever the policy', (_, talos, kubernetes, expected) => {
    expect(findingsOf(talos, kubernetes, 'warn')).toEqual(expected)
  })
})
