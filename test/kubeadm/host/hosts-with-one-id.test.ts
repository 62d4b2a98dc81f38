import { expect, test } from 'vitest'
import type { HostEvidence } from '../../../src/kubeadm/host/host-evidence.ts'
import { hostsWithOneId } from '../../../src/kubeadm/host/hosts-with-one-id.ts'

const seen = (host: string, id: string, partial: Partial<HostEvidence> = {}): HostEvidence => ({
  at: 0,
  host,
  step: 'os_ready',
  check: 'machine-id',
  words: 'the host has an id of its own',
  state: 'passed',
  seen: id,
  ...partial,
})

test('hosts that were cloned from one disk are found together, and a host is no clone of itself', () => {
  expect(
    hostsWithOneId([
      seen('web-3', 'a'),
      seen('web-1', 'a'),
      seen('web-2', 'b'),
      seen('web-2', 'b', { at: 1 }),
      seen('web-4', 'a', { check: 'distribution' }),
      seen('web-5', 'a', { state: 'failed' }),
    ]),
  ).toEqual([['web-1', 'web-3']])
})
