import { describe, expect, it } from 'vitest'
import { readMembers } from '../../../src/kubeadm/cluster/read-members.ts'

const started = (id: string, ip: string) =>
  `{"ID":${id},"name":"cp-${ip.slice(-1)}","peerURLs":["https://${ip}:2380"],"clientURLs":["https://${ip}:2379"]}`
const list = (...members: readonly string[]) =>
  `{"header":{"cluster_id":10316109323310759371,"member_id":15168875803774599630,"raft_term":2},"members":[${members.join(',')}]}`

describe('The members of etcd', () => {
  it('are read with every bit of their ids, as etcdctl takes them back', () => {
    const members = readMembers(list(started('15168875803774599630', '10.0.0.1')), undefined)
    expect(members).toEqual([
      {
        id: 15168875803774599630n.toString(16),
        name: 'cp-1',
        peerUrls: ['https://10.0.0.1:2380'],
        isLearner: false,
        isHealthy: undefined,
      },
    ])
  })

  it('that never started have no name and nobody to ask, and learners no vote', () => {
    const unstarted = '{"ID":17,"peerURLs":["https://10.0.0.2:2380"],"isLearner":true}'
    const empty = '{"ID":18,"name":"","peerURLs":["https://10.0.0.3:2380"],"clientURLs":null}'
    const health =
      '[{"endpoint":"https://10.0.0.1:2379","health":true,"took":"9ms"}]\nError: unhealthy cluster'
    expect(readMembers(list(started('16', '10.0.0.1'), unstarted, empty), health)).toMatchObject([
      { id: '10', isHealthy: true, isLearner: false },
      { id: '11', name: '', isHealthy: undefined, isLearner: true },
      { id: '12', name: '', isHealthy: undefined, isLearner: false },
    ])
  })
})
