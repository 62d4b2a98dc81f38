import { gunzipSync } from 'node:zlib'
import { expect } from 'vitest'
import type { fileMethods } from '../../../src/talos/api/methods/file-methods.ts'
import { allOf, bytesOf, type EntriesOf, take } from './method-entry.ts'

const folder = '/etc/kubernetes'
const missing = /no such file or directory/

/** The files of a node. */
export const fileEntries: EntriesOf<ReturnType<typeof fileMethods>> = {
  async read({ controlPlane: { api } }) {
    const release = String(await bytesOf(api.machine.read('/etc/os-release')))
    expect(release).toContain('VERSION_ID=v1.13.0\n')
    await expect(bytesOf(api.machine.read('/nothing'))).rejects.toThrow(missing)
  },
  async copy({ controlPlane: { api } }) {
    const archive = gunzipSync(await bytesOf(api.machine.copy(folder)))
    expect(archive.toString('latin1', 257, 262)).toBe('ustar')
    expect(archive.includes('kubelet.yaml')).toBe(true)
    expect(archive.includes('kind: KubeletConfiguration')).toBe(true)
    await expect(bytesOf(api.machine.copy('/nothing'))).rejects.toThrow(missing)
  },
  async list({ controlPlane: { api } }) {
    const names = async (options: Parameters<typeof api.machine.list>[1]) =>
      (await allOf(api.machine.list(folder, options))).map(({ relativeName }) => relativeName)
    expect(await names({})).toEqual(expect.arrayContaining(['.', 'kubelet.yaml', 'pki']))
    expect(await names({ types: ['folder'] })).not.toContain('kubelet.yaml')
    expect(await names({ recurse: true })).toContain('pki/ca.crt')
    expect(await names({ recurse: true, depth: 1 })).not.toContain('pki/ca.crt')
    const [file] = await take(api.machine.list(`${folder}/kubelet.yaml`), 1)
    expect(file?.mode).toBe(0o600)
    expect(Math.abs(Date.now() / 1_000 - Number(file?.modified))).toBeLessThan(3_600)
    await expect(allOf(api.machine.list('/nothing'))).rejects.toThrow(missing)
  },
  async diskUsage({ controlPlane: { api } }) {
    const usageOf = (options: Parameters<typeof api.machine.diskUsage>[1]) =>
      allOf(api.machine.diskUsage([folder], options))
    const [sum, ...none] = await usageOf({})
    expect(sum?.name).toBe(folder)
    expect(none).toEqual([])
    const files = await usageOf({ depth: 1, all: true })
    expect(files.map(({ relativeName }) => relativeName)).toContain('kubelet.yaml')
    expect(files.at(-1)?.size).toBe(sum?.size)
    const large = await usageOf({ depth: 1, all: true, threshold: 4_000n })
    for (const { size } of large) expect(size).toBeGreaterThanOrEqual(4_000n)
    const [nothing] = await allOf(api.machine.diskUsage(['/nothing']))
    expect(nothing?.error).toMatch(missing)
  },
}
