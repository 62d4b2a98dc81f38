import { X509Certificate } from 'node:crypto'
import { connect } from 'node:tls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createClock } from '../../../src/lib/clock.ts'
import type { Hardware } from '../../../src/sandbox/hardware.ts'
import { State } from '../../../src/talos/api/gen/cosi/state_pb.js'
import { MachineService } from '../../../src/talos/api/gen/machine/machine_pb.js'
import { createClient } from './cluster-secrets.ts'
import { addressOf, TalosBed } from './talos-bed.ts'
import { collect, failureOf, TalosClient } from './talos-client.ts'

const { method } = MachineService
const machineConfig = {
  namespace: 'config',
  type: 'MachineConfigs.config.talos.dev',
  id: 'v1alpha1',
}
let bed: TalosBed

beforeEach(() => {
  bed = new TalosBed({ clock: createClock(100) })
})

afterEach(async () => {
  await bed.close()
  expect(bed.world.contractErrors).toEqual([])
})

function certificateOf(machine: Hardware): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: addressOf(machine),
      port: 50_000,
      rejectUnauthorized: false,
      ALPNProtocols: ['h2'],
    })
    socket.once('error', reject)
    socket.once('secureConnect', () => {
      resolve(new X509Certificate(socket.getPeerCertificate().raw))
      socket.destroy()
    })
  })
}

test('in maintenance the certificate is a throw-away one, afterwards it is of the cluster', async () => {
  const machine = await bed.boot('cp-1')
  const maintenance = await certificateOf(machine)
  expect(maintenance.subject).toBe('CN=maintenance-service.talos.dev')
  expect(maintenance.publicKey.asymmetricKeyType).toBe('ed25519')
  const configured = await certificateOf(await bed.configured('cp-2'))
  expect(configured.verify(new X509Certificate(bed.secrets.os.crt).publicKey)).toBe(true)
  for (const name of ['127.0.0.1', addressOf(bed.world.machines.get(2) ?? machine), '10.0.64.2']) {
    expect(configured.checkIP(name)).toBe(name)
  }
  expect(configured.checkHost('talos.example.org')).toBe('talos.example.org')
  expect(configured.checkHost('cp-2')).toBe('cp-2')
})

test('each role may do what Talos lets it do', async () => {
  const machine = await bed.configured('cp-1')
  await bed.client(machine).unary(method.bootstrap, {})
  const reader = bed.client(machine, ['os:reader'])
  const operator = bed.client(machine, ['os:operator'])
  const nobody = bed.client(machine, ['os:unheard'])
  const denied = 'PERMISSION_DENIED: not authorized'
  expect((await reader.unary(method.version, {})).messages).toHaveLength(1)
  expect(await failureOf(nobody.unary(method.version, {}))).toBe(denied)
  expect(await failureOf(reader.unary(method.bootstrap, {}))).toBe(denied)
  expect(await failureOf(reader.unary(method.applyConfiguration, { mode: 1 }))).toBe(denied)
  expect(await failureOf(collect(reader.stream(method.kubeconfig, {})))).toBe(denied)
  expect(await failureOf(collect(operator.stream(method.read, { path: '/etc/os-release' })))).toBe(
    denied,
  )
  expect(await failureOf(operator.unary(method.reset, {}))).toBe(denied)
  await operator.unary(method.etcdDefragment, {})
  expect(await failureOf(reader.unary(State.method.get, machineConfig))).toBe(denied)
  const { resource } = await bed.client(machine).unary(State.method.get, machineConfig)
  expect(resource?.metadata?.version).toBe('1')
})

test('a certificate that is for servers too, or of another CA, or none, is no way in', async () => {
  const machine = await bed.configured('cp-1')
  const both = createClient(bed.secrets, ['os:admin'], ['serverAuth', 'clientAuth'])
  const stranger = new TalosBed().secrets
  const clients = [
    new TalosClient(addressOf(machine), { ca: bed.secrets.os.crt, client: both }),
    new TalosClient(addressOf(machine), {
      ca: bed.secrets.os.crt,
      client: createClient(stranger, ['os:admin']),
    }),
    bed.anyone(machine),
  ]
  for (const client of clients) {
    bed.keep(client)
    await expect(client.unary(method.version, {}, { deadlineMs: 300 })).rejects.toThrow(
      /UNAVAILABLE|DEADLINE_EXCEEDED/,
    )
  }
})

test('a firewall keeps connections waiting, and lets them through when it is opened', async () => {
  const machine = await bed.boot('cp-1')
  bed.world.hetzner.firewalls.set(1, {
    id: 1,
    name: 'demo',
    labels: {},
    created: 0,
    rules: [],
    uses: [{ type: 'server', server: machine.serverId, since: 0 }],
  })
  const client = bed.anyone(machine)
  const status = { namespace: 'runtime', type: 'MachineStatuses.runtime.talos.dev', id: 'machine' }
  expect(await failureOf(client.unary(State.method.get, status, { deadlineMs: 100 }))).toMatch(
    /^DEADLINE_EXCEEDED/,
  )
  const answer = client.unary(State.method.get, status)
  bed.world.hetzner.firewalls.clear()
  expect((await answer).resource?.metadata?.id).toBe('machine')
})
