import { status } from '@grpc/grpc-js'
import { expect } from 'vitest'
import type { serviceMethods } from '../../../src/talos/api/methods/service-methods.ts'
import type { TalosApi } from '../../../src/talos/api/talos-api.ts'
import { bytesOf, type EntriesOf, patience, refused, take } from './method-entry.ts'

const services = ['apid', 'containerd', 'cri', 'etcd', 'kubelet', 'machined', 'trustd']

async function isHealthy({ machine }: TalosApi, id: string): Promise<boolean> {
  const { services: all } = await machine.serviceList()
  const service = all.find((each) => each.id === id)
  return service?.state === 'Running' && service.health?.healthy === true
}

async function pidOf({ machine }: TalosApi, id: string): Promise<number | undefined> {
  const { containers } = await machine.containers('system')
  return containers.find((container) => container.id === id)?.pid
}

/** What runs on a node. */
export const serviceEntries: EntriesOf<ReturnType<typeof serviceMethods>> = {
  async serviceList({ controlPlane: { api } }) {
    const { services: all } = await api.machine.serviceList()
    expect(all.map(({ id }) => id).sort()).toEqual(services)
    for (const { id, events } of all) expect(events?.events.length, id).toBeGreaterThan(0)
  },
  async serviceStart({ controlPlane: { api } }) {
    const { resp } = await api.machine.serviceStart('kubelet')
    expect(resp).toBe('Service "kubelet" started')
  },
  // None of Talos's own services may be stopped; an extension's may, and a container has no extensions.
  serviceStop: refused(
    status.UNKNOWN,
    /"kubelet" doesn't support stop operation via API/,
    ({ controlPlane: { api } }) => api.machine.serviceStop('kubelet'),
  ),
  async serviceRestart({ controlPlane: { api } }) {
    const starts = async () => {
      const { services: all } = await api.machine.serviceList()
      const kubelet = all.find(({ id }) => id === 'kubelet')
      return kubelet?.events?.events.filter(({ state }) => state === 'Starting').length ?? 0
    }
    const before = await starts()
    const { resp } = await api.machine.serviceRestart('kubelet')
    expect(resp).toBe('Service "kubelet" restarted')
    await expect.poll(starts, patience).toBeGreaterThan(before)
    await expect.poll(() => isHealthy(api, 'kubelet'), patience).toBe(true)
  },
  async containers({ controlPlane: { api } }) {
    const system = await api.machine.containers('system')
    expect(system.containers.map(({ id, status }) => [id, status])).toEqual([
      ['apid', 'RUNNING'],
      ['trustd', 'RUNNING'],
    ])
    const pods = await api.machine.containers('k8s.io')
    expect(pods.containers).toContainEqual(
      expect.objectContaining({ name: 'kube-apiserver', status: 'CONTAINER_RUNNING' }),
    )
  },
  async stats({ controlPlane: { api } }) {
    const { stats } = await api.machine.stats('k8s.io')
    // One that ended, as with an upgrade, is told beside the one that runs, and uses nothing.
    const servers = stats.filter(({ name }) => name === 'kube-apiserver')
    const server = servers.find(({ memoryUsage }) => memoryUsage > 0n)
    expect(server?.memoryUsage).toBeGreaterThan(50n << 20n)
    // It has worked for some seconds, and for less than a day.
    expect(server?.cpuUsage).toBeGreaterThan(1_000_000_000n)
    expect(server?.cpuUsage).toBeLessThan(86_400n * 1_000_000_000n)
  },
  async restart({ controlPlane: { api } }) {
    const before = await pidOf(api, 'trustd')
    await api.machine.restart('trustd', 'system')
    await expect.poll(() => pidOf(api, 'trustd'), patience).not.toBe(before)
    await expect.poll(() => isHealthy(api, 'trustd'), patience).toBe(true)
  },
  async logsContainers({ controlPlane: { api } }) {
    const { ids } = await api.machine.logsContainers()
    expect(ids).toEqual(expect.arrayContaining([...services, 'controller-runtime']))
  },
  async logs({ controlPlane: { api } }) {
    const last = String(await bytesOf(api.machine.logs('kubelet', { tailLines: 3 })))
    expect(last.trim().split('\n')).toHaveLength(3)
    const { containers } = await api.machine.containers('k8s.io')
    const server = containers.find(
      ({ name, status }) => name === 'kube-apiserver' && status === 'CONTAINER_RUNNING',
    )
    const options = { space: 'k8s.io', tailLines: 1 } as const
    expect(String(await bytesOf(api.machine.logs(server?.id ?? '', options)))).toContain(
      ' stderr F ',
    )
  },
  async dmesg({ controlPlane: { api } }) {
    const [first] = await take(api.machine.dmesg(), 1)
    expect(String(Buffer.from(first?.bytes ?? []))).toMatch(
      /^kern: +\w+: \[\d{4}-\d\d-\d\dT.*Z\]: /,
    )
  },
  async events({ controlPlane: { api } }) {
    const [begun, ...past] = await take(api.machine.events({ tailEvents: 2 }), 3)
    expect(begun?.data?.typeUrl).toBe('')
    for (const { id, data } of past) {
      expect(id).toMatch(/^[0-9a-v]{20}$/)
      expect(data?.typeUrl).toMatch(/^talos\/runtime\/machine\.\w+Event$/)
    }
  },
}
