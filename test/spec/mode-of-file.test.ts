import { describe, expect, test } from 'vitest'
import { findingsOfHosts, hostsFile } from './hosts/hosts-file.ts'
import { findingsOf, sampleFile } from './sample-file.ts'

describe('a cluster file', () => {
  test('with the keys of two modes is refused by both, in the same words', () => {
    const both = `${sampleFile}hosts: []\n`
    expect(findingsOf(both)).toHaveLength(1)
    expect(findingsOf(both)).toEqual(findingsOfHosts(both))
    expect(findingsOf(both)[0]).toContain('the file has hetzner and hosts')
  })

  test('with the keys of none is refused by both, in the same words', () => {
    const neither = 'clusterName: demo\nkubernetes: { version: 1.35.4 }\n'
    expect(findingsOf(neither)).toHaveLength(1)
    expect(findingsOf(neither)).toEqual(findingsOfHosts(neither))
    expect(findingsOf(neither)[0]).toContain('neither hetzner and talos nor hosts and kubeadm')
  })

  test('of the other mode is reported as that, and none of its keys as a mistake', () => {
    expect(findingsOf(hostsFile)).toEqual([
      expect.stringMatching(/^2:1 error: .* hosts that exist.*hcloud-talos status/),
    ])
    expect(findingsOfHosts(sampleFile)).toEqual([
      expect.stringMatching(/^\d+:1 error: .* servers at Hetzner/),
    ])
  })
})
