import { timestampMs } from '@bufbuild/protobuf/wkt'
import { status } from '@grpc/grpc-js'
import { expect } from 'vitest'
import { rigAddresses } from '../../../rig/network/rig-addresses.ts'
import { checkClusterHealth } from '../../../src/talos/api/cluster-health.ts'
import type { TalosApi } from '../../../src/talos/api/talos-api.ts'
import { allOf, type EntriesOf, refused } from './method-entry.ts'
import { startTimeServer } from './time-server.ts'

export const timeEntries: EntriesOf<TalosApi['time']> = {
  // The servers of its config are names, and there is no name server in this world.
  time: refused(status.UNKNOWN, /error querying NTP server "ntp1.hetzner.de"/, ({ worker }) =>
    worker.api.time.time(),
  ),
  async timeCheck({ worker: { api } }) {
    await using _server = await startTimeServer(90_000)
    const { server, localtime, remotetime } = await api.time.timeCheck(rigAddresses.internet)
    expect(server).toBe(rigAddresses.internet)
    if (localtime === undefined || remotetime === undefined) throw new Error('no time')
    expect(Math.abs(timestampMs(localtime) - Date.now())).toBeLessThan(10_000)
    expect(Math.abs(timestampMs(remotetime) - timestampMs(localtime) - 90_000)).toBeLessThan(5_000)
  },
}

export const storageEntries: EntriesOf<TalosApi['storage']> = {
  async disks({ worker: { api } }) {
    // A container has none.
    expect((await api.storage.disks()).disks).toEqual([])
  },
  blockDeviceWipe: refused(status.NOT_FOUND, /blockdevice "sdz" not found/, ({ worker }) =>
    worker.api.storage.blockDeviceWipe([{ device: 'sdz', method: 'fast' }]),
  ),
}

export const inspectEntries: EntriesOf<TalosApi['inspect']> = {
  async controllerRuntimeDependencies({ worker: { api } }) {
    const { edges } = await api.inspect.controllerRuntimeDependencies()
    expect(edges).toContainEqual(
      expect.objectContaining({
        controllerName: 'network.HostnameSpecController',
        resourceType: 'HostnameStatuses.net.talos.dev',
      }),
    )
  },
}

export const clusterEntries: EntriesOf<TalosApi['cluster']> = {
  async healthCheck({ controlPlane, worker, spare }) {
    const query = {
      controlPlanes: [controlPlane.privateIp],
      workers: [worker.privateIp, spare.privateIp],
      waitMs: 120_000,
    }
    const answers = await allOf(controlPlane.api.cluster.healthCheck(query, { timeoutMs: 130_000 }))
    const messages = answers.map(({ message }) => message)
    expect(messages).toContain('waiting for etcd to be healthy: OK')
    expect(messages).toContain('waiting for all k8s nodes to report schedulable: OK')
    // An address where nobody is: it is not healthy, and the node gives up in time.
    const unhealthy = { ...query, workers: ['10.0.127.254'], waitMs: 6_000 }
    const failure = await allOf(checkClusterHealth(controlPlane.api, unhealthy)).catch((e) => e)
    expect(failure).toMatchObject({ code: 'talos-refused' })
    expect(String(failure)).toMatch(/the cluster waits for apid to be ready: /)
  },
}
