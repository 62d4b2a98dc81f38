import { describe, expect, test } from 'vitest'
import type { FoundCluster } from '../../../src/kubeadm/cluster/found-cluster.ts'
import { compareKubeadm } from '../../../src/kubeadm/diff.ts'
import type { KubeadmKind } from '../../../src/kubeadm/kinds/kubeadm-kind.ts'
import { kubeadmKinds } from '../../../src/kubeadm/kinds/kubeadm-kinds.ts'
import { kindTraits, recordKinds } from '../../../src/plan/record.ts'
import { rackSpec } from '../config/rack.ts'

const spec = rackSpec()
const nobody: FoundCluster = { inventory: undefined, hosts: new Map(), cluster: undefined }
const request = {
  spec,
  found: nobody,
  goal: 'running',
  first: undefined,
  replaced: new Map(),
} as const

describe('the table of kinds', () => {
  test('has each kind under its own name, in the order of a plan', () => {
    const names = Object.keys(kubeadmKinds)
    expect(Object.values(kubeadmKinds).map(({ name }) => name)).toEqual(names)
    expect(recordKinds.filter((kind) => kind in kubeadmKinds)).toEqual(names)
  })

  test('has hosts for machines, whose names their nodes have', () => {
    expect(kindTraits.host).toMatchObject({ part: 'machine', stages: ['infra'], hasId: false })
    expect(kindTraits['kube-vip']).toMatchObject({ part: 'other', stages: ['talos'] })
  })

  test('asks nothing of hosts that were not reached', () => {
    const { changes } = compareKubeadm(request)
    expect(changes.map(({ key }) => key)).toEqual(['etcd/rack'])
  })
})

/** A kind that kubeadm does not have, under a name that plans know. */
const lampKind: KubeadmKind = {
  name: 'volume',
  desire: () => [{ kind: 'volume', name: 'lamp', spec: { light: 'on' }, needs: [] }],
  live: () => [{ kind: 'volume', name: 'lamp', spec: { light: 'off' }, needs: [] }],
  rules: () => ({
    create: () => ({ risk: 'additive', reason: 'there is none' }),
    update: () => ({ action: 'update', risk: 'live', reason: 'it is switched' }),
    delete: () => ({ risk: 'live', reason: 'nobody wants it' }),
  }),
  versionFields: new Set(),
}

test('another kind is compared as soon as it is in the table', () => {
  expect(compareKubeadm(request, { ...kubeadmKinds, lamp: lampKind }).changes).toMatchObject([
    { key: 'etcd/rack' },
    { key: 'volume/lamp', fields: [{ path: 'light', before: 'off', after: 'on' }] },
  ])
})
