import { expect, test } from 'vitest'
import { hostsWithOneId } from '../../../src/kubeadm/host/hosts-with-one-id.ts'

test('hosts that were cloned from one disk are found together, and a host is no clone of itself', () => {
  expect(
    hostsWithOneId([
      { name: 'web-3', machineId: 'a' },
      { name: 'web-1', machineId: 'a' },
      { name: 'web-2', machineId: 'b' },
      { name: 'web-2', machineId: 'b' },
      // Nobody could read theirs.
      { name: 'web-4', machineId: '' },
      { name: 'web-5', machineId: '' },
    ]),
  ).toEqual([['web-1', 'web-3']])
})
