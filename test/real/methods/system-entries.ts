import { expect } from 'vitest'
import type { systemMethods } from '../../../src/talos/api/methods/system-methods.ts'
import type { EntriesOf } from './method-entry.ts'

const kib = 1_024n
const nowSeconds = () => BigInt(Math.floor(Date.now() / 1_000))

/** What a node is. It shares the machine with its world, so that some figures can be compared with it. */
export const systemEntries: EntriesOf<ReturnType<typeof systemMethods>> = {
  async version({ controlPlane: { api } }) {
    const { version, platform, features } = await api.machine.version()
    expect(version).toMatchObject({ tag: 'v1.13.0', os: 'linux', arch: 'amd64' })
    expect(platform?.name).toBe('hcloud')
    expect(features?.rbac).toBe(true)
  },
  async hostname({ controlPlane: { api, name } }) {
    expect(await api.machine.hostname()).toMatchObject({ hostname: name })
  },
  async loadAvg({ controlPlane: { api } }) {
    const { load1, load5, load15 } = await api.machine.loadAvg()
    for (const load of [load1, load5, load15]) expect(load).toBeGreaterThan(0)
  },
  async memory({ controlPlane: { api } }) {
    const { meminfo } = await api.machine.memory()
    const total = (meminfo?.memtotal ?? 0n) * kib
    expect(total).toBeGreaterThan(1n << 30n)
    expect(total).toBeLessThan(1n << 42n)
    expect(meminfo?.memavailable).toBeLessThan(meminfo?.memtotal ?? 0n)
  },
  async cpuInfo({ controlPlane: { api } }) {
    const { cpuInfo } = await api.machine.cpuInfo()
    expect(cpuInfo.map(({ processor }) => processor)).toEqual(cpuInfo.map((_, index) => index))
    for (const { cpuMhz, flags } of cpuInfo) {
      expect(cpuMhz).toBeGreaterThan(100)
      expect(flags).toContain('fpu')
    }
  },
  async cpuFreqStats({ controlPlane: { api } }) {
    const { cpuFreqStats } = await api.machine.cpuFreqStats()
    const { cpuInfo } = await api.machine.cpuInfo()
    expect(cpuFreqStats).toHaveLength(cpuInfo.length)
  },
  async systemStat({ controlPlane: { api } }) {
    const { bootTime, cpu, processCreated } = await api.machine.systemStat()
    expect(bootTime).toBeLessThan(nowSeconds())
    expect(processCreated).toBeGreaterThan(0n)
    const seconds = Number(nowSeconds() - bootTime)
    for (const { user, system, idle } of cpu) {
      const spent = user + system + idle
      expect(spent).toBeGreaterThan(1)
      expect(spent).toBeLessThan(seconds * 2)
    }
  },
  async diskStats({ controlPlane: { api } }) {
    const { total, devices } = await api.machine.diskStats()
    expect(devices.length).toBeGreaterThan(0)
    const written = devices.reduce((sum, { writeSectors }) => sum + writeSectors, 0n)
    expect(total?.writeSectors).toBe(written)
  },
  async networkDeviceStats({ controlPlane: { api } }) {
    const { total, devices } = await api.machine.networkDeviceStats()
    expect(devices.map(({ name }) => name)).toEqual(expect.arrayContaining(['lo', 'eth0', 'eth1']))
    const received = devices.reduce((sum, { rxBytes }) => sum + rxBytes, 0n)
    expect(total?.rxBytes).toBe(received)
    expect(received).toBeGreaterThan(1_000_000n)
  },
  async mounts({ controlPlane: { api } }) {
    const { stats } = await api.machine.mounts()
    const data = stats.find(({ mountedOn }) => mountedOn === '/var')
    expect(data?.size).toBeGreaterThan(1n << 30n)
    expect(data?.available).toBeLessThan(data?.size ?? 0n)
  },
  async processes({ controlPlane: { api } }) {
    const { processes } = await api.machine.processes()
    const init = processes.find(({ pid }) => pid === 1)
    expect(init).toMatchObject({ ppid: 0, command: 'init' })
    expect(init?.residentMemory).toBeGreaterThan(10n << 20n)
    expect(init?.cpuTime).toBeGreaterThan(0)
    expect(processes.some(({ command }) => command === 'etcd')).toBe(true)
  },
}
