import { Agent } from 'node:https'
import { connect } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { issueKey } from '../../../src/sandbox/pki.ts'
import { newAuthority, send, startCluster } from './sim-cluster.ts'

test('nobody gets further than 401 without a certificate of the cluster', async () => {
  const { port, ca } = await startCluster()
  const stranger = issueKey('p256', {
    subject: { commonName: 'admin', organizations: ['system:masters'] },
    issuer: newAuthority(),
    usages: ['clientAuth'],
  })
  const agents = [
    new Agent({ ca: ca.crt }),
    new Agent({ ca: ca.crt, cert: stranger.crt, key: stranger.key }),
  ]
  for (const agent of agents) {
    const answer = await send(agent, port, 'GET', '/version')
    expect(answer.status).toBe(401)
    expect(answer.json).toMatchObject({ kind: 'Status', reason: 'Unauthorized', code: 401 })
    agent.destroy()
  }
})

test('somebody without the group of administrators is told what is forbidden', async () => {
  const { port, ca } = await startCluster()
  const user = issueKey('p256', {
    subject: { commonName: 'jane', organizations: ['developers'] },
    issuer: ca,
    usages: ['clientAuth'],
  })
  const agent = new Agent({ ca: ca.crt, cert: user.crt, key: user.key })
  onTestFinished(() => agent.destroy())
  expect((await send(agent, port, 'GET', '/version')).status).toBe(200)
  const answer = await send(agent, port, 'GET', '/apis/apps/v1/namespaces/default/deployments')
  expect(answer.json).toMatchObject({
    code: 403,
    reason: 'Forbidden',
    message:
      'deployments.apps is forbidden: User "jane" cannot list resource "deployments" in API group "apps" in the namespace "default"',
  })
})

test('the server shows a certificate of the cluster with the names asked for', async () => {
  const { port, ca } = await startCluster()
  const socket = connect({ host: '127.0.0.1', port, ca: ca.crt, servername: 'kubernetes' })
  onTestFinished(() => void socket.destroy())
  await new Promise<void>((resolve, reject) => {
    socket.on('secureConnect', resolve)
    socket.on('error', reject)
  })
  const { subjectaltname } = socket.getPeerCertificate()
  for (const name of ['IP Address:127.0.0.1', 'IP Address:10.96.0.1', 'DNS:kubernetes.default']) {
    expect(subjectaltname).toContain(name)
  }
})

test('a connection from outside the firewall hangs without an answer', async () => {
  const { sim } = await startCluster()
  const sources: string[] = []
  const served = await sim.serve('127.0.0.1', 0, (source) => {
    sources.push(source)
    return false
  })
  const socket = connect({ host: '127.0.0.1', port: served.port, rejectUnauthorized: false })
  const shaken = new Promise((resolve) => socket.on('secureConnect', () => resolve('shaken')))
  const ended = new Promise((resolve) => socket.on('error', () => resolve('cut')))
  await new Promise((resolve) => socket.on('connect', resolve))
  await served.close()
  expect(await Promise.race([shaken, ended])).toBe('cut')
  expect(sources).toEqual(['127.0.0.1'])
})

test('the world counts each request, plays faults and can cut connections', async () => {
  const { world, call } = await startCluster()
  await call('GET', '/api/v1/nodes')
  expect(world.requests.at(-1)).toMatchObject({
    front: 'kubernetes',
    method: 'GET',
    path: '/api/v1/nodes',
  })
  world.faults.inject({ kind: 'rate-limit', front: 'kubernetes' })
  const limited = await call('GET', '/api/v1/nodes')
  expect(limited.status).toBe(429)
  expect(limited.headers['retry-after']).toBe('1')
  world.faults.inject({ kind: 'drop-after', front: 'kubernetes' })
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'lost' } }
  await expect(call('POST', '/api/v1/namespaces', { body })).rejects.toThrow()
  expect((await call('GET', '/api/v1/namespaces/lost')).status).toBe(200)
})
