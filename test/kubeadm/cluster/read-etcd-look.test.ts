import { expect, test } from 'vitest'
import { readEtcdLook } from '../../../src/kubeadm/cluster/read-etcd-look.ts'

/** As etcdctl 3.6 prints it, on one line. */
const status = (fields: string) =>
  `status\t[{"Endpoint":"https://127.0.0.1:2379","Status":{"header":{"cluster_id":10316109323310759371,"member_id":12593026477526642892,"revision":7,"raft_term":2},"version":"3.6.6","dbSize":20480,${fields}"raftIndex":9,"raftTerm":2,"raftAppliedIndex":18446744073709551615}}]\n`

test('ids and indices of 64 bits are read to the last digit', () => {
  expect(readEtcdLook(status('"leader":12593026477526642892,')).status).toEqual({
    id: 'aec36adc501070cc',
    leads: true,
    hasLeader: true,
    isLearner: false,
    applied: 18446744073709551615n,
    size: 20_480,
    inUse: 20_480,
    quota: undefined,
    errors: [],
  })
  expect(readEtcdLook(status('"leader":12593026477526642893,')).status?.leads).toBe(false)
})

test('a member without a leader has none in what it prints, and says so', () => {
  const printed = status('"errors":["etcdserver: no leader"],"isLearner":true,')
  expect(readEtcdLook(printed).status).toMatchObject({
    hasLeader: false,
    isLearner: true,
    errors: ['etcdserver: no leader'],
  })
})

test('a host is told apart that has a database, data without one, and nothing', () => {
  const found = (printed: string) => readEtcdLook(printed).database
  expect(found('database\t20480 1796000000\n')).toEqual({ size: 20_480, modified: 1_796_000_000 })
  expect(found('database\tnone\n')).toBe('none')
  expect(readEtcdLook('missing\t/etc/kubernetes/pki/sa.key\n')).toEqual({
    status: undefined,
    database: undefined,
    missing: ['/etc/kubernetes/pki/sa.key'],
  })
})
