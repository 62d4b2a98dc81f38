import { X509Certificate } from 'node:crypto'
import { connect } from 'node:tls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createClock } from '../../../src/lib/clock.ts'
import type { Hardware } from '../../../src/sandbox/hardware.ts'
import { MachineService } from '../../../src/talos/api/gen/machine/machine_pb.js'
import {
  type ClusterSecrets,
  createClient,
  createConfig,
  createSecrets,
} from './cluster-secrets.ts'
import { addressOf, TalosBed } from './talos-bed.ts'
import { TalosClient } from './talos-client.ts'

const { method } = MachineService
let bed: TalosBed
let next: ClusterSecrets

beforeEach(() => {
  bed = new TalosBed({ clock: createClock(100) })
  // The same cluster with another CA of the Talos API.
  next = { ...bed.secrets, os: createSecrets().os }
})

afterEach(async () => {
  await bed.close()
  expect(bed.world.contractErrors).toEqual([])
})

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** Gives a running node the CA that issues, and the one that it accepts besides. */
async function give(
  machine: Hardware,
  type: 'controlplane' | 'worker',
  { issuing, accepted }: { issuing: ClusterSecrets; accepted?: ClusterSecrets },
  by: ClusterSecrets,
): Promise<void> {
  const machineFields = accepted ? { acceptedCAs: [{ crt: base64(accepted.os.crt) }] } : {}
  const data = Buffer.from(createConfig(type, issuing, { machine: machineFields }))
  await clientOf(machine, by).unary(method.applyConfiguration, { data, mode: 2 })
}

/** One that believes nodes of either CA, and shows a certificate of one. */
function clientOf(machine: Hardware, { os }: ClusterSecrets): TalosClient {
  const client = createClient({ ...bed.secrets, os }, ['os:admin'])
  const ca = `${bed.secrets.os.crt}\n${next.os.crt}`
  return bed.keep(new TalosClient(addressOf(machine), { ca, client }))
}

const answers = (machine: Hardware, by: ClusterSecrets) =>
  clientOf(machine, by)
    .unary(method.version, {}, { deadlineMs: 5_000 })
    .then(
      () => true,
      () => false,
    )

async function isIssuedBy(machine: Hardware, { os }: ClusterSecrets): Promise<boolean> {
  const certificate = await new Promise<X509Certificate>((resolve, reject) => {
    const socket = connect({ host: addressOf(machine), port: 50_000, rejectUnauthorized: false })
    socket.once('error', reject)
    socket.once('secureConnect', () => {
      resolve(new X509Certificate(socket.getPeerCertificate().raw))
      socket.destroy()
    })
  })
  return certificate.verify(new X509Certificate(os.crt).publicKey)
}

test('another CA is taken up live, in three steps, with a way in at each of them', async () => {
  const former = bed.secrets
  const controlPlane = await bed.configured('cp-1')
  const worker = await bed.configured('w-1', 'worker')
  const nodes = [
    [controlPlane, 'controlplane'],
    [worker, 'worker'],
  ] as const
  expect(await answers(controlPlane, next)).toBe(false)

  for (const [machine, type] of nodes) {
    await give(machine, type, { issuing: former, accepted: next }, former)
    await bed.until('the next CA lets in', () => answers(machine, next))
    expect(await answers(machine, former)).toBe(true)
    expect(await isIssuedBy(machine, former)).toBe(true)
  }
  for (const [machine, type] of nodes) {
    await give(machine, type, { issuing: next, accepted: former }, next)
    await bed.until('the next CA issues', () => isIssuedBy(machine, next))
    expect(await answers(machine, former)).toBe(true)
  }
  for (const [machine, type] of nodes) {
    await give(machine, type, { issuing: next }, next)
    await bed.until('the former CA is nobody', async () => !(await answers(machine, former)))
    expect(await answers(machine, next)).toBe(true)
  }
  expect(bed.talos.clusters.size).toBe(1)
})

test('a worker that does not believe its control planes keeps the certificate that it has', async () => {
  const controlPlane = await bed.configured('cp-1')
  const worker = await bed.configured('w-1', 'worker')
  await give(controlPlane, 'controlplane', { issuing: bed.secrets, accepted: next }, bed.secrets)
  await bed.until('it is let in', () => answers(controlPlane, next))
  await give(controlPlane, 'controlplane', { issuing: next, accepted: bed.secrets }, next)
  await bed.until('the next CA issues', () => isIssuedBy(controlPlane, next))
  expect(await isIssuedBy(worker, bed.secrets)).toBe(true)
  // Booted again, it gets none: this is what the first of the three steps is for.
  await worker.powerOff()
  await worker.powerOn()
  await worker.settled()
  expect(bed.node('w-1')?.api.listening).toBe(false)
})
