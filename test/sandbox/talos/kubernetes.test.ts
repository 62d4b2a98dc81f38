import { request } from 'node:https'
import { gunzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createClock } from '../../../src/lib/clock.ts'
import { createTalosGuest } from '../../../src/sandbox/talos/create-talos-guest.ts'
import { State } from '../../../src/talos/api/gen/cosi/state_pb.js'
import { MachineService } from '../../../src/talos/api/gen/machine/machine_pb.js'
import { createConfig } from './cluster-secrets.ts'
import { addressOf, TalosBed } from './talos-bed.ts'
import { collect } from './talos-client.ts'

const { method } = MachineService
const beds: TalosBed[] = []

function newBed(...options: ConstructorParameters<typeof TalosBed>): TalosBed {
  const bed = new TalosBed(...options)
  beds.push(bed)
  return bed
}

afterEach(async () => {
  for (const bed of beds.splice(0)) {
    await bed.close()
    expect(bed.world.contractErrors).toEqual([])
  }
})

interface KubeUser {
  readonly ca: string
  readonly cert?: string
  readonly key?: string
}

function get(address: string, path: string, { ca, cert, key }: KubeUser) {
  return new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const call = request(
      { host: address, port: 6_443, path, ca, cert, key, agent: false },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () =>
          resolve({ status: answer.statusCode, body: Buffer.concat(chunks).toString() }),
        )
      },
    )
    call.on('error', reject)
    call.end()
  })
}

test('the kubeconfig of a node opens the Kubernetes that runs on it', async () => {
  const bed = newBed()
  bed.world.guests.talos = createTalosGuest()
  const machine = await bed.configured('cp-1')
  const admin = bed.client(machine)
  await admin.unary(method.bootstrap, {})
  await bed.until('running', () => bed.node('cp-1')?.stage.name === 'running')

  const archive = await collect(admin.stream(method.kubeconfig, {}))
  const tar = gunzipSync(Buffer.concat(archive.map(({ bytes }) => bytes)))
  const { clusters, users } = parse(tar.subarray(512).toString())
  const decode = (text: string) => Buffer.from(text, 'base64').toString()
  const ca = decode(clusters[0].cluster['certificate-authority-data'])
  const user = {
    ca,
    cert: decode(users[0].user['client-certificate-data']),
    key: decode(users[0].user['client-key-data']),
  }
  const address = addressOf(machine)
  expect((await get(address, '/version', { ca })).status).toBe(401)
  const { body } = await get(address, '/api/v1/nodes/cp-1', user)
  expect(JSON.parse(body).status.nodeInfo).toMatchObject({
    osImage: 'Talos (v1.12.0)',
    kubeletVersion: 'v1.32.0',
    bootID: machine.bootId,
  })
  const status = { namespace: 'runtime', type: 'MachineStatuses.runtime.talos.dev', id: 'machine' }
  const { resource } = await admin.unary(State.method.get, status)
  expect(parse(resource?.spec?.yamlSpec ?? '').status).toEqual({
    ready: false,
    unmetConditions: [{ name: 'nodeReady', reason: 'node "cp-1" is not ready' }],
  })
})

test('load balancers in front of control planes answer, and are told who can', async () => {
  const bed = newBed({ clock: createClock(1_000) })
  const machine = await bed.configured('cp-1')
  const ipv4 = await bed.world.addresses.allocate()
  const probe = () =>
    bed.world.targetProbes
      .map((ask) => ask(machine, 6_443, { protocol: 'http', tls: true, path: '/version' }))
      .find((answer) => answer !== undefined)
  expect(probe()).toBeUndefined()
  await bed.client(machine).unary(method.bootstrap, {})
  await bed.until('served', () => probe() === 401)
  bed.world.hetzner.loadBalancers.set(9, {
    id: 9,
    name: 'demo',
    labels: {},
    created: 0,
    type: 'lb11',
    location: 'hel1',
    publicEnabled: true,
    ipv4,
    ipv6: '2001:db8::1',
    primaryIpv4: undefined,
    primaryIpv6: undefined,
    attaching: [],
    dnsPtrs: {},
    privateNets: [],
    deleteProtected: false,
    algorithm: 'round_robin',
    services: [
      {
        protocol: 'tcp',
        listenPort: 6_443,
        destinationPort: 6_443,
        proxyprotocol: false,
        healthCheck: { protocol: 'tcp', port: 6_443, interval: 3, timeout: 2, retries: 2 },
      },
    ],
    targets: [{ type: 'server', server: machine.serverId, usePrivateIp: true, since: 0 }],
  })
  const { served } = bed.kubernetes[0] ?? { served: new Set() }
  await bed.until('the load balancer answers', () => served.has(`${ipv4}:6443`))
  await machine.powerOff()
  await bed.until('it answers no longer', () => served.size === 0)
})

test('with realistic latencies a cluster comes up all the same', async () => {
  const bed = newBed({ clock: createClock(2_000), latencies: 'realistic' })
  const machine = await bed.configured('cp-1')
  const data = Buffer.from(createConfig('worker', bed.secrets))
  const worker = await bed.boot('worker-1')
  await bed.anyone(worker).unary(method.applyConfiguration, { data, mode: 1 })
  await bed.client(machine).unary(method.bootstrap, {})
  await bed.until('both run', () =>
    ['cp-1', 'worker-1'].every((name) => bed.node(name)?.stage.name === 'running'),
  )
})
