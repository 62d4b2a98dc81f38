import { expect, test } from 'vitest'
import { judgeEtcdSpace } from '../../../src/talos/etcd/judge-etcd-space.ts'

const corrupt = (memberId: bigint) => ({ memberId, kind: 'corrupt' as const })
const heard = {
  name: 'demo-control-plane-1',
  memberId: 1n,
  size: 4_194_304n,
  inUse: 2_097_152n,
  alarms: [corrupt(1n), corrupt(2n), corrupt(3n)],
}

test('a corrupt member is replaced by the name of its node, and looked up where nobody names it', () => {
  const nodes = new Map([[2n, 'demo-control-plane-2']])
  const found = judgeEtcdSpace([heard], 2_147_483_648n, nodes)
  expect(found.map(({ message, command }) => [message, command])).toEqual([
    [
      'etcd raises an alarm: the database of demo-control-plane-1 is corrupt',
      'hcloud-talos apply --replace demo-control-plane-1',
    ],
    [
      'etcd raises an alarm: the database of demo-control-plane-2 is corrupt',
      'hcloud-talos apply --replace demo-control-plane-2',
    ],
    [
      'etcd raises an alarm: the database of 0000000000000003 is corrupt',
      'hcloud-talos talos etcd members',
    ],
  ])
})
