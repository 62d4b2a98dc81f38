import { createHash } from 'node:crypto'
import { status } from '@grpc/grpc-js'
import { expect } from 'vitest'
import type { etcdMethods } from '../../../src/talos/api/methods/etcd-methods.ts'
import type { TalosApi } from '../../../src/talos/api/talos-api.ts'
import { allOf, bytesOf, type EntriesOf, elsewhere, refused } from './method-entry.ts'

async function expectHealthy({ machine }: TalosApi): Promise<void> {
  const { memberStatus } = await machine.etcdStatus()
  expect(memberStatus).toMatchObject({ errors: [], isLearner: false })
  expect(memberStatus?.leader).toBe(memberStatus?.memberId)
}

async function snapshot({ machine }: TalosApi): Promise<Buffer> {
  const bytes = await bytesOf(machine.etcdSnapshot())
  expect(createHash('sha256').update(bytes.subarray(0, -32)).digest()).toEqual(bytes.subarray(-32))
  return bytes
}

/** The etcd of a control plane that is its only member. */
export const etcdEntries: EntriesOf<ReturnType<typeof etcdMethods>> = {
  async etcdMemberList({ controlPlane: { api, name, privateIp } }) {
    for (const local of [true, false]) {
      expect((await api.machine.etcdMemberList({ local })).members).toMatchObject([
        { hostname: name, peerUrls: [`https://${privateIp}:2380`], isLearner: false },
      ])
    }
  },
  async etcdStatus({ controlPlane: { api } }) {
    await expectHealthy(api)
    const { memberStatus } = await api.machine.etcdStatus()
    expect(memberStatus?.storageVersion).toBe('3.6.0')
    expect(memberStatus?.dbSize).toBeGreaterThan(100_000n)
    expect(memberStatus?.dbSizeInUse).toBeLessThanOrEqual(memberStatus?.dbSize ?? 0n)
  },
  async etcdAlarmList({ controlPlane: { api } }) {
    expect((await api.machine.etcdAlarmList()).memberAlarms).toEqual([])
  },
  async etcdAlarmDisarm({ controlPlane: { api } }) {
    expect((await api.machine.etcdAlarmDisarm()).memberAlarms).toEqual([])
  },
  async etcdDefragment({ controlPlane: { api } }) {
    await api.machine.etcdDefragment()
    await expectHealthy(api)
  },
  // There is nobody to hand it to.
  etcdForfeitLeadership: refused(
    status.UNKNOWN,
    /cannot forfeit leadership, only one member/,
    ({ controlPlane: { api } }) => api.machine.etcdForfeitLeadership(),
  ),
  // It would leave no etcd; the product asks for it when a control plane goes.
  etcdLeaveCluster: elsewhere(
    'test/real/three-control-planes.test.ts',
    'goes back to one, each out of etcd before its server goes',
  ),
  // There is no such member, and the one that there is must stay.
  etcdRemoveMemberById: refused(
    status.NOT_FOUND,
    /failed to remove member 1: etcdserver: member not found/,
    ({ controlPlane: { api } }) => api.machine.etcdRemoveMemberById(1n),
  ),
  async etcdSnapshot({ controlPlane: { api } }) {
    await snapshot(api)
  },
  async etcdRecover({ controlPlane: { api } }) {
    const bytes = await snapshot(api)
    await api.machine.etcdRecover([bytes.subarray(0, 100_000), bytes.subarray(100_000)])
    const [kept] = await allOf(api.machine.list('/var/lib/etcd.snapshot'))
    expect(kept?.size).toBe(BigInt(bytes.length))
    // That it is recovered from is the part of the life that restores a snapshot.
    await expect(api.machine.bootstrap({ recoverEtcd: true })).rejects.toThrow('not empty')
  },
  async etcdDowngradeValidate({ controlPlane: { api } }) {
    const { clusterDowngrade } = await api.machine.etcdDowngradeValidate('3.5')
    expect(clusterDowngrade?.clusterVersion).toBe('3.6')
    await expect(api.machine.etcdDowngradeValidate('3.4')).rejects.toThrow('only supported to 3.5')
  },
  async etcdDowngradeEnable({ controlPlane: { api } }) {
    const { clusterDowngrade } = await api.machine.etcdDowngradeEnable('3.5')
    expect(clusterDowngrade?.clusterVersion).toBe('3.6')
    // One is on its way, so that a second one is refused, until it is given up.
    await expect(api.machine.etcdDowngradeEnable('3.5')).rejects.toThrow('in progress')
    await api.machine.etcdDowngradeCancel()
  },
  async etcdDowngradeCancel({ controlPlane: { api } }) {
    const { clusterDowngrade } = await api.machine.etcdDowngradeCancel()
    expect(clusterDowngrade?.clusterVersion).toBe('3.6')
    await expectHealthy(api)
  },
}
