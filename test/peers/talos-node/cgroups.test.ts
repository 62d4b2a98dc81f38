import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { type CgroupPreset, cgroupTable } from '../../../src/commands/talos/cgroup-report.ts'
import { type Cgroup, cgroupsIn } from '../../../src/commands/talos/cgroups.ts'

let groups: Cgroup[]
beforeAll(async () => {
  // A copy of a real node's, which Talos's own tests read.
  const module = 'github.com/siderolabs/talos@v1.14.1'
  const { stdout } = await promisify(execFile)('go', ['mod', 'download', '-json', module], {
    cwd: tmpdir(),
  })
  const { Dir: folder } = z.object({ Dir: z.string() }).parse(JSON.parse(stdout))
  const archive = join(folder, 'internal/pkg/cgroups/testdata/cgroup.tar.gz')
  groups = await cgroupsIn(createReadStream(archive))
})

const table = (preset: CgroupPreset) => {
  const none = new Map<string, string>()
  const { data } = cgroupTable(groups, preset, { names: none, processes: none })
  return z.array(z.record(z.string(), z.unknown())).parse(data)
}
const init = (preset: CgroupPreset) => table(preset).find(({ group }) => group === '/init')

it("a real node's control groups are those that Talos reads from them", () => {
  const top = groups.filter(({ path }) => path.length === 1).map(({ path }) => path.join())
  expect(top).toEqual(['init', 'kubepods', 'podruntime', 'system'])
  expect(init('memory')).toMatchObject({ current: 114_712_576, low: 201_326_592, max: 'max' })
})

it('each preset has its figures there', () => {
  expect(init('cpu')).toMatchObject({ max: 'max 100000', userSeconds: 134.616104 })
  expect(init('cpuset')).toMatchObject({ cpus: '', effectiveCpus: '0-1' })
  expect(init('io')).toMatchObject({
    devices: { '253:0': { readBytes: 631_296, writtenBytes: 4_215_808, reads: 114, writes: 12 } },
    pressureSeconds: 0.269767,
  })
  expect(init('process')).toMatchObject({ max: 'max', processes: [{ pid: 1 }] })
  expect(init('psi')).toMatchObject({ memory: 114_712_576, cpuFull: 0 })
  expect(init('swap')).toMatchObject({ current: 0, max: 'max' })
})

it('a group comes before those in it', () => {
  const paths = groups.map(({ path }) => path.join('/'))
  expect(paths[0]).toBe('')
  for (const { path } of groups.slice(1)) {
    const parent = path.slice(0, -1).join('/')
    expect(paths.indexOf(parent)).toBeLessThan(paths.indexOf(path.join('/')))
  }
})
