import { connect } from 'node:tls'
import { expect, it } from 'vitest'
import { applyCluster } from '../../../src/commands/cluster/apply-cluster.ts'
import { createClock } from '../../../src/lib/clock.ts'
import { bare, clusterFile } from '../../commands/cluster-files.ts'
import { startBench } from '../../commands/harness.ts'

const hour = 3_600_000
const day = 24 * hour
const firewall = { talosApi: ['127.0.0.0/8'], kubernetesApi: ['127.0.0.0/8'] }

/** The serial number of the certificate that is shown: another one after a renewal. */
function shown(host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port,
      rejectUnauthorized: false,
      ALPNProtocols: ['h2', 'http/1.1'],
    })
    socket.once('secureConnect', () => {
      resolve(socket.getPeerX509Certificate()?.serialNumber ?? '')
      socket.destroy()
    })
    socket.once('error', reject)
  })
}

it('nodes renew their certificates after half a day, API servers after half a year, as long as nobody looks', async () => {
  const wall = createClock()
  let passed = 0
  const calendar = { ...wall, now: () => wall.now() + passed }
  await using bench = await startBench({ calendar })
  const { world } = bench.sandbox
  await applyCluster(bench.run(), { file: clusterFile({}, { ...bare, firewall }) })
  const addresses = [...world.machines.values()].map(({ publicIp = '' }) => publicIp)
  const nodes = () => Promise.all(addresses.map((address) => shown(address, 50_000)))
  const [controlPlane = ''] = addresses
  const first = { nodes: await nodes(), server: await shown(controlPlane, 6_443) }
  passed = 11 * hour
  expect(await nodes()).toEqual(first.nodes)
  passed = 13 * hour
  const second = await nodes()
  for (const [index, serial] of second.entries()) expect(serial).not.toBe(first.nodes[index])
  expect(await shown(controlPlane, 6_443)).toBe(first.server)
  passed = 365 * day
  for (const [index, serial] of (await nodes()).entries()) expect(serial).not.toBe(second[index])
  await expect
    .poll(() => shown(controlPlane, 6_443).catch(() => first.server), { timeout: 10_000 })
    .not.toBe(first.server)
})
