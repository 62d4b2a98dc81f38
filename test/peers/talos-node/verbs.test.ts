import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { applyCluster } from '../../../src/commands/cluster/apply-cluster.ts'
import { mintTalosconfig } from '../../../src/commands/talos/mint-talosconfig.ts'
import { typeTalos } from '../../cli/talos-bench.ts'
import { bare, clusterFile } from '../../commands/cluster-files.ts'
import { type Bench, startBench } from '../../commands/harness.ts'
import { hangLimitMs } from '../../hang-limit.ts'
import { buildGo } from '../build-go.ts'

const anywhere = ['127.0.0.0/8']
const file = clusterFile(
  { workers: 3 },
  {
    addons: bare['addons'] ?? {},
    firewall: { talosApi: anywhere, kubernetesApi: anywhere },
  },
)
const controlPlane = 'demo-control-plane-1'
const worker = 'demo-workers-1'
let bench: Bench
let folder: string
let binary: string
beforeAll(async () => {
  binary = await buildGo(import.meta.dirname)
  bench = await startBench()
  folder = await mkdtemp(join(tmpdir(), 'talos-peer-'))
  await writeFile(path('cluster.yaml'), file.text)
  await applyCluster(bench.run(), { file })
  const talosconfig = await mintTalosconfig(bench.run(), { file, hours: 1, role: 'os:admin' })
  await writeFile(path('talosconfig'), talosconfig)
}, hangLimitMs)
afterAll(async () => {
  expect(bench.sandbox.world.contractErrors).toEqual([])
  await bench[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const path = (name: string) => join(folder, name)

const machine = (name: string) =>
  [...bench.sandbox.world.machines.values()].find((each) => each.name === name)

const answer = z.object({ value: z.unknown(), code: z.string(), message: z.string() })

/** What Talos's own client gets from a node. */
async function theirs(node: string, call: string, argument = '') {
  const { stdout } = await promisify(execFile)(
    binary,
    [
      ...['-talosconfig', path('talosconfig'), '-address', machine(node)?.publicIp ?? ''],
      ...['-call', call, '-argument', argument],
    ],
    { maxBuffer: 1 << 26 },
  )
  return answer.parse(JSON.parse(stdout))
}

const rows = z.array(z.record(z.string(), z.unknown()))

async function theirRows(node: string, call: string) {
  const { value, code, message } = await theirs(node, call)
  expect(code, message).toBe('OK')
  return rows.parse(value)
}

const type = (words: string) =>
  typeTalos([...words.split(' '), '--config', path('cluster.yaml')], { context: bench.run() })

/** What our verb prints of one node. */
async function ours(words: string, node: string): Promise<unknown> {
  const { stdout, error } = await type(`${words} -o json -n ${node}`)
  if (error) throw error
  const [report] = z
    .array(z.object({ node: z.string(), result: z.unknown() }))
    .parse(JSON.parse(stdout))
  expect(report?.node).toBe(node)
  return report?.result
}

/** Sorted by a key: clients need not keep an order. */
function by(key: string, list: unknown) {
  return rows.parse(list).toSorted((a, b) => (String(a[key]) < String(b[key]) ? -1 : 1))
}

describe("what our verbs print is what Talos's own client gets:", () => {
  it('containers', async () => {
    const expected = (await theirRows(controlPlane, 'containers')).map(
      ({ namespace, id, image = '', pid = 0, status }) => ({ namespace, id, image, pid, status }),
    )
    expect(expected.length).toBeGreaterThan(0)
    expect(by('id', await ours('containers -k', controlPlane))).toEqual(by('id', expected))
  })

  it('stats', async () => {
    const expected = (await theirRows(controlPlane, 'stats')).map((stat) => ({
      namespace: stat['namespace'],
      id: stat['id'],
      memory: stat['memory_usage'],
      cpuSeconds: Number(stat['cpu_usage']) / 1e9,
    }))
    expect(expected.length).toBeGreaterThan(0)
    expect(by('id', await ours('stats -k', controlPlane))).toEqual(by('id', expected))
  })

  it('processes', async () => {
    const expected = (await theirRows(worker, 'processes')).map((each) => ({
      pid: each['pid'],
      state: each['state'],
      threads: each['threads'] ?? 0,
      cpuSeconds: each['cpu_time'] ?? 0,
      memory: each['resident_memory'] ?? 0,
      command: each['args'] || each['command'],
    }))
    expect(expected.length).toBeGreaterThan(0)
    expect(by('pid', await ours('processes', worker))).toEqual(by('pid', expected))
  })

  it('memory, in bytes where Talos counts KiB', async () => {
    const { value } = await theirs(worker, 'memory')
    const info = z.record(z.string(), z.number()).parse(value)
    const bytes = (field: string) => (info[field] ?? 0) * 1_024
    expect(await ours('memory', worker)).toEqual([
      {
        total: bytes('memtotal'),
        free: bytes('memfree'),
        available: bytes('memavailable'),
        buffers: bytes('buffers'),
        cached: bytes('cached'),
        shared: bytes('shmem'),
      },
    ])
  })

  it('mounts', async () => {
    const expected = (await theirRows(worker, 'mounts')).map((each) => ({
      filesystem: each['filesystem'],
      size: each['size'] ?? 0,
      available: each['available'] ?? 0,
      mountedOn: each['mounted_on'],
    }))
    expect(expected.length).toBeGreaterThan(0)
    expect(by('mountedOn', await ours('mounts', worker))).toEqual(by('mountedOn', expected))
  })

  const sameImages = async () => {
    const expected = (await theirRows(worker, 'images')).map(({ created, ...image }) => ({
      ...image,
      created: new Date(Number(created)).toISOString(),
    }))
    const printed = by('name', await ours('image list', worker))
    expect(printed).toEqual(by('name', expected))
    return printed.map(({ name }) => String(name))
  }

  it('images, by whomever they were pulled', async () => {
    const before = await sameImages()
    const first = await theirs(worker, 'pull', 'registry.k8s.io/pause:3.9')
    expect(first.code, first.message).toBe('OK')
    const second = await ours('image pull registry.k8s.io/pause:3.10', worker)
    const after = await sameImages()
    expect(after.length).toBeGreaterThan(before.length)
    expect(after).toContain(first.value)
    expect(after).toContain(z.object({ image: z.string() }).parse(second).image)
    const missing = await theirs(worker, 'pull', 'factory.talos.dev/metal-installer/nope:v1.13.9')
    expect(missing.code).toBe('NotFound')
    const { error } = await type(
      `image pull factory.talos.dev/metal-installer/nope:v1.13.9 -n ${worker}`,
    )
    expect(error).toMatchObject({ code: 'talos-refused' })
  })

  it('the answer to the restart of a service, and the refusal of one that there is not', async () => {
    const { value } = await theirs(worker, 'restart', 'kubelet')
    expect(await ours('service restart kubelet --yes', worker)).toEqual({ answer: value })
    expect((await theirs(worker, 'restart', 'nope')).code).not.toBe('OK')
    expect((await type(`service restart nope --yes -n ${worker}`)).error).toBeDefined()
  })

  it('the memory of control groups', async () => {
    const { value } = await theirs(controlPlane, 'copy', '/sys/fs/cgroup')
    const files = z.record(z.string(), z.string()).parse(value)
    const expected = Object.entries(files)
      .filter(([name]) => name.endsWith('/memory.current'))
      .map(([name, text]) => [`/${name.replace('/memory.current', '')}`, Number(text)])
    expect(expected.length).toBeGreaterThan(0)
    const printed = rows.parse(await ours('cgroups', controlPlane))
    const withMemory = printed.filter(({ current }) => current !== null)
    expect(withMemory.map(({ group, current }) => [group, current]).sort()).toEqual(expected.sort())
  })

  it('files that are copied', async () => {
    const { value } = await theirs(worker, 'copy', '/etc')
    const expected = z.record(z.string(), z.string()).parse(value)
    const { error } = await type(`copy /etc ${path('etc')} -n ${worker}`)
    expect(error).toBeUndefined()
    expect((await readdir(path('etc'))).sort()).toEqual(Object.keys(expected).sort())
    for (const [name, text] of Object.entries(expected)) {
      expect(await readFile(join(path('etc'), name), 'utf8')).toBe(text)
    }
  })
})

it("a patch makes of a node's config what Talos's own code makes of it", async () => {
  const patch = 'machine:\n  sysctls:\n    vm.swappiness: "10"\n  nodeLabels:\n    zone: a\n'
  await writeFile(path('patch.yaml'), patch)
  const expected = await theirs(worker, 'patched', path('patch.yaml'))
  expect(expected.code, expected.message).toBe('OK')
  expect((await type(`patch ${path('patch.yaml')} --yes -n ${worker}`)).error).toBeUndefined()
  const { value } = await theirs(worker, 'config')
  const documents = (text: unknown) => parseAllDocuments(String(text)).map((each) => each.toJS())
  expect(documents(value)).toEqual(documents(expected.value))
  expect(String(value)).toContain('vm.swappiness')
})

it('a rollback of a node that was never upgraded is refused to both, in the same words', async () => {
  const { code, message } = await theirs(worker, 'rollback')
  expect(code).not.toBe('OK')
  const { error } = await type(`rollback --yes --no-gate -n ${worker}`)
  const [, words = ''] = /desc = (.*)/.exec(message) ?? []
  expect(words).not.toBe('')
  expect(String(error)).toContain(words)
})

it('a shutdown turns a node off, by whomever it was asked', async () => {
  expect((await theirs('demo-workers-2', 'shutdown')).code).toBe('OK')
  const { error } = await type('shutdown --yes --no-gate -n demo-workers-3')
  expect(error).toBeUndefined()
  for (const name of ['demo-workers-2', 'demo-workers-3']) {
    await expect.poll(() => machine(name)?.power, { timeout: hangLimitMs }).toBe('off')
  }
})
