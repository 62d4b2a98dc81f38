import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { talosVerbs } from '../../src/cli/commands/talos/talos-commands.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { mintTalosconfig } from '../../src/commands/talos/mint-talosconfig.ts'
import { talosState } from '../../src/sandbox/talos/talos-state.ts'
import { bare, clusterFile } from '../commands/cluster-files.ts'
import { type Bench, startBench } from '../commands/harness.ts'
import { hangLimitMs } from '../hang-limit.ts'
import { type TalosRun, type TypedOutput, typeTalos } from './talos-bench.ts'

const controlPlane = 'demo-control-plane-1'
const worker = 'demo-workers-1'
const file = clusterFile({}, { addons: bare['addons'] ?? {} })
let bench: Bench
let folder: string
beforeAll(async () => {
  bench = await startBench()
  folder = await mkdtemp(join(tmpdir(), 'talos-verbs-'))
  await writeFile(join(folder, 'cluster.yaml'), file.text)
  await applyCluster(bench.run(), { file })
}, hangLimitMs)
afterAll(async () => {
  expect(bench.sandbox.world.contractErrors).toEqual([])
  await bench[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const patient = { timeout: hangLimitMs }

const path = (name: string) => join(folder, name)

const type = (words: string, run: Partial<TalosRun> = {}): Promise<TypedOutput> =>
  typeTalos([...words.split(' '), '--config', path('cluster.yaml')], {
    context: bench.run(),
    ...run,
  })

/** What is printed on standard output by a verb that succeeds. */
async function printed(words: string, run: Partial<TalosRun> = {}): Promise<string> {
  const { stdout, error } = await type(words, run)
  if (error) throw error
  return stdout
}

/** The rows of a table without its head, each as its words. */
async function rows(words: string): Promise<string[][]> {
  const [, ...lines] = (await printed(words)).trimEnd().split('\n')
  return lines.map((line) => line.split(/ {2,}/))
}

const node = (name: string) =>
  [...talosState(bench.sandbox.world).nodes].find((n) => n.name === name)

/** Every firewall rule that lets somebody reach the nodes. */
const temporaryRules = () =>
  [...bench.sandbox.world.hetzner.firewalls.values()].filter(({ labels }) => 'run' in labels)

describe('what nodes say is a table', () => {
  it('of their versions, each with its name', async () => {
    expect(await printed('version')).toBe(
      [
        'NODE                  VERSION  SHA      ARCH   PLATFORM',
        'demo-control-plane-1  v1.13.9  5a4e2d3  amd64  hcloud (cloud)',
        'demo-workers-1        v1.13.9  5a4e2d3  amd64  hcloud (cloud)',
        '',
      ].join('\n'),
    )
  })

  it('of their services, or of one', async () => {
    const kubelets = await rows('services kubelet')
    expect(kubelets.map(([name, id, state, health]) => [name, id, state, health])).toEqual([
      [controlPlane, 'kubelet', 'Running', 'OK'],
      [worker, 'kubelet', 'Running', 'OK'],
    ])
    expect((await rows(`services -n ${worker}`)).map(([, id]) => id)).not.toContain('etcd')
  })

  it('of etcd, by the control planes alone', async () => {
    const [[, , hostname, peer] = []] = await rows('etcd members')
    expect([hostname, peer]).toEqual([controlPlane, 'https://10.0.64.10:2380'])
    const [[name, , size, inUse] = []] = await rows('etcd status')
    expect([name, size, inUse]).toEqual([controlPlane, '4.2 MB', '2.1 MB (50 %)'])
    expect(await rows('etcd alarm list')).toEqual([])
  })

  it('of resources, with the columns that the node gives them', async () => {
    expect(await printed(`get members ${worker} -n ${controlPlane}`)).toMatch(
      /^NODE +NAMESPACE +TYPE +ID +VERSION +HOSTNAME +MACHINE TYPE +OS +ADDRESSES\n.* worker +Talos/,
    )
    const [[, namespace, kind, id, , stage, ready] = []] = await rows(
      `get machinestatus -n ${worker}`,
    )
    expect([namespace, kind, id, stage, ready]).toEqual([
      'runtime',
      'MachineStatuses',
      'machine',
      'running',
      'true',
    ])
    expect((await type('get nonsense')).error).toMatchObject({ code: 'usage' })
  })

  it('of files and of what they take', async () => {
    const names = (await rows(`list /var -r -t file -n ${controlPlane}`)).map((row) => row.at(-1))
    expect(names).toContain('lib/etcd/member/snap/db')
    expect(names).not.toContain('lib')
    const usage = await rows(`usage /var/lib -n ${controlPlane}`)
    expect(usage).toEqual([[controlPlane, '4.2 MB', '/var/lib']])
    const deeper = await rows(`usage /var/lib -d 1 -n ${controlPlane}`)
    expect(deeper.map((row) => row.at(-1))).toEqual(['/var/lib/etcd', '/var/lib'])
    const missing = await type(`list /nowhere -n ${worker}`)
    expect(missing.error).toMatchObject({ code: 'talos-refused' })
    expect(String(missing.error)).toContain('no such file')
  })

  it('of containers, what they take, processes, memory and mounts', async () => {
    const containers = await rows(`containers -k -n ${controlPlane}`)
    expect(containers.map((row) => row.at(-1))).toContain('CONTAINER_RUNNING')
    expect(await rows(`containers -n ${worker}`)).toEqual([])
    const [[, , id, memory, cpu] = []] = await rows(`stats -k -n ${controlPlane}`)
    expect([id, memory, cpu]).toEqual([expect.stringContaining('kube-'), '60 MB', '2.50 s'])
    const processes = await rows(`processes -n ${worker}`)
    expect(processes.map((row) => row.at(-1))).toEqual(['apid', 'kubelet', '/sbin/init'])
    expect(await rows(`memory -n ${worker}`)).toHaveLength(1)
    const mounts = await rows(`mounts -n ${worker}`)
    expect(mounts.map((row) => row.at(-1))).toContain('/var')
    const [{ result } = { result: [] }] = JSON.parse(await printed(`memory -o json -n ${worker}`))
    expect(result).toEqual([expect.objectContaining({ total: 3_900_000 * 1_024 })])
  })

  it('of control groups as a tree, those of pods by their names', async () => {
    const groups = await printed(`cgroups -n ${controlPlane}`)
    expect(groups).toMatch(/^NODE +GROUP +CURRENT +PEAK +MIN +LOW +HIGH +MAX\n/)
    expect(groups).toMatch(/ {2}kubepods +60 MB +75 MB +0 B +0 B +max +1\.8 GB\n/)
    expect(groups).toMatch(/ {6}kube-system\/kube-apiserver-demo-control-plane-1 /)
    expect(groups).toMatch(/ {8}kube-apiserver /)
    const [[, , readAndWritten, ten] = []] = await rows(`cgroups --preset io -n ${worker}`)
    expect([readAndWritten, ten]).toEqual(['8:0: 4.1 MB/8.2 MB', '0.25 %'])
    const tasks = await printed(`cgroups --preset process -o json -n ${worker}`)
    const [{ result } = { result: [] }] = JSON.parse(tasks)
    expect(result).toContainEqual({
      group: '/podruntime/kubelet',
      current: 12,
      peak: 20,
      max: 'max',
      threads: 0,
      processes: [{ pid: 1_001, name: 'kubelet' }],
    })
    expect(result[0]).toMatchObject({ group: '/', current: null })
  })

  it('of images, and one more that is pulled', async () => {
    const image = 'registry.k8s.io/pause:3.10'
    const [[, pulled] = []] = await rows(`image pull ${image} -n ${worker}`)
    expect(pulled).toContain('pause')
    const listed = (await rows(`image list -n ${worker}`)).map(([, name]) => name)
    expect(listed.some((name) => name?.includes('pause'))).toBe(true)
  })

  it('of a service that there is not, an error with those that there are', async () => {
    const { error } = await type('services nope')
    expect(error).toMatchObject({ code: 'usage', hint: expect.stringContaining('kubelet') })
    const restart = await type(`service restart nope -y -n ${worker}`)
    expect(restart.error).toMatchObject({ code: 'usage' })
    expect((await type('service restart kubelet -y')).error).toMatchObject({ code: 'usage' })
    const [[, answer] = []] = await rows(`service restart kubelet -y -n ${worker}`)
    expect(answer).toContain('kubelet')
  })

  it('of a machine config, which an admin alone may read, without its secrets', async () => {
    const text = await printed(`get machineconfig v1alpha1 -n ${controlPlane} -o yaml`)
    expect(text).toContain('controlplane')
    expect(text).not.toContain('PRIVATE KEY')
    expect(await rows(`get mc -n ${worker}`)).not.toEqual([])
  })

  it('of sockets, with their processes', async () => {
    const sockets = await rows(`netstat -l -p -n ${worker}`)
    expect(sockets.map((row) => row.at(-1)?.split('/')[1])).toEqual(['apid', 'kubelet'])
  })
})

it('JSON and YAML hold the same, by node', async () => {
  const json = JSON.parse(await printed('etcd status -o json'))
  expect(json).toEqual(parse(await printed('etcd status -o yaml')))
  expect(json).toMatchObject([{ node: controlPlane, result: [{ dbSize: 4_194_304, errors: [] }] }])
})

it('a node that fails spoils nothing of the others, and the exit', async () => {
  const { stdout, error } = await type('services etcd -o json --nodes demo-control-plane-1')
  expect(error).toBeUndefined()
  expect(JSON.parse(stdout)).toHaveLength(1)
  const members = await type(`etcd members -o json -n ${controlPlane},${worker}`)
  expect(JSON.parse(members.stdout)).toMatchObject([
    { node: controlPlane, result: [{ hostname: controlPlane }] },
    { node: worker, error: expect.stringContaining('talos-refused') },
  ])
  expect(members.error).toMatchObject({ code: 'talos-refused' })
})

it('health is a list of sentences', async () => {
  expect(await printed('health')).toBe(
    [
      'ok  etcd to be healthy',
      'ok  etcd members to be consistent across nodes',
      'ok  apid to be ready',
      'ok  all nodes to finish boot sequence',
      'ok  all k8s nodes to report ready',
      '',
    ].join('\n'),
  )
  expect(JSON.parse(await printed('health -o json'))[0]).toEqual({
    sentence: 'etcd to be healthy',
    ok: true,
  })
})

describe('what goes on', () => {
  it('is followed in the log until somebody leaves', async () => {
    const stop = new AbortController()
    const lines: string[] = []
    const following = type(`logs kubelet -f -n ${worker}`, {
      context: bench.run({ signal: stop.signal }),
      onPrint: (line) => lines.push(line),
    })
    await expect.poll(() => lines.length, patient).toBeGreaterThan(0)
    const before = lines.length
    node(worker)?.serviceChanged('kubelet')
    await expect.poll(() => lines.length, patient).toBe(before + 1)
    expect(lines.at(-1)).toMatch(/kubelet: running: Health check successful\n$/)
    const reason = new Error('Ctrl-C')
    stop.abort(reason)
    expect((await following).error).toBe(reason)
    expect(temporaryRules()).toEqual([])
  })

  it('comes as events, of the past too, until the time is over', async () => {
    const stop = new AbortController()
    const lines: string[] = []
    const listening = type(`events --tail -1 -n ${worker}`, {
      context: bench.run({ signal: stop.signal }),
      onPrint: (line) => lines.push(line),
    })
    await expect.poll(() => lines.join(''), patient).toContain('"stage":"RUNNING"')
    stop.abort(new Error('enough'))
    await listening
    expect((await type(`events --duration 1 -n ${worker}`)).error).toBeUndefined()
  })

  it('is told with the name of the node where several tell it', async () => {
    const lines = (await printed('dmesg')).trimEnd().split('\n')
    expect(new Set(lines.map((line) => line.split(': ')[0]))).toEqual(
      new Set([controlPlane, worker]),
    )
    expect(await printed(`dmesg -n ${worker}`)).toMatch(/^user: warning: /)
  })

  it('is watched, resource by resource', async () => {
    const stop = new AbortController()
    const lines: string[] = []
    const watching = type(`get services kubelet -w -n ${worker}`, {
      context: bench.run({ signal: stop.signal }),
      onPrint: (line) => lines.push(line),
    })
    await expect
      .poll(() => lines, patient)
      .toEqual([expect.stringMatching(/^\+ {2}runtime {2}Services/)])
    stop.abort(new Error('enough'))
    await watching
  })
})

describe('a file', () => {
  it('is read as it is', async () => {
    expect(await printed(`read /etc/hostname -n ${worker}`)).toBe(`${worker}\n`)
    expect((await type('read /etc/hostname')).error).toMatchObject({ code: 'usage' })
  })

  it('or a folder is copied into a new folder, or written as an archive', async () => {
    const { error, stderr } = await type(`copy /etc ${path('etc')} -n ${worker}`)
    expect(error).toBeUndefined()
    expect(stderr.at(-1)).toMatch(/^wrote 2 files into /)
    expect(await readFile(path('etc/hostname'), 'utf8')).toBe(`${worker}\n`)
    expect((await type(`copy /etc ${path('etc')} -n ${worker}`)).error).toMatchObject({
      code: 'usage',
      message: expect.stringContaining('not empty'),
    })
    await printed(`copy /etc/hostname --out ${path('hostname.tar.gz')} -n ${worker}`)
    expect(String(gunzipSync(await readFile(path('hostname.tar.gz'))))).toContain(worker)
    expect((await type(`copy /none ${path('none')} -n ${worker}`)).error).toMatchObject({
      code: 'talos-refused',
    })
  })

  it('of a snapshot of etcd is healthy, and its owner alone may read it', async () => {
    await printed(`etcd snapshot ${path('etcd.db')}`)
    const { mode, size } = await stat(path('etcd.db'))
    expect([mode & 0o777, size > 32]).toEqual([0o600, true])
  })

  it('of packets is one that other programs read', async () => {
    await printed(`pcap -i eth1 -n ${worker} --duration 1 --out ${path('a.pcap')}`)
    const pcap = await readFile(path('a.pcap'))
    expect(pcap.readUInt32LE(0)).toBe(0xa1b23c4d)
    const failed = await type(`pcap -i eth9 -n ${worker} --out ${path('b.pcap')}`)
    expect(failed.error).toMatchObject({ code: 'talos-refused' })
    await expect(stat(path('b.pcap'))).rejects.toThrow('ENOENT')
  })

  it('for support has what helps, and no secret', async () => {
    await printed(`support --out ${path('support.tar.gz')}`)
    const text = gunzipSync(await readFile(path('support.tar.gz'))).toString('latin1')
    for (const part of [
      `${worker}/dmesg.log`,
      `${controlPlane}/logs/etcd.log`,
      `${worker}/resources/Members.cluster.talos.dev.json`,
    ]) {
      expect(text).toContain(part)
    }
    expect(text).not.toMatch(/PRIVATE KEY|LS0tLS1|MachineConfigs.config.talos.dev.json/)
  })
})

describe('what cannot be taken back', () => {
  const untouched = async (words: string, run: Partial<TalosRun> = {}) => {
    const boots = [node(controlPlane)?.machine.bootId, node(worker)?.machine.bootId]
    const { error } = await type(words, run)
    expect([node(controlPlane)?.machine.bootId, node(worker)?.machine.bootId]).toEqual(boots)
    return error
  }

  it('is asked for first, and not done without a yes', async () => {
    expect(await untouched(`reboot -n ${worker}`)).toMatchObject({ code: 'not-confirmed' })
    expect(await untouched(`reset -n ${worker}`, { answer: 'y' })).toMatchObject({
      code: 'not-confirmed',
    })
  })

  it('is done to no node that was not named', async () => {
    expect(await untouched('reboot --yes')).toMatchObject({ code: 'usage' })
    expect(await untouched('reset --yes')).toMatchObject({ code: 'usage' })
    expect(await untouched('reboot --yes -n nobody')).toMatchObject({ code: 'usage' })
  })

  it('is a reboot, which is over when the node is back', async () => {
    const before = node(worker)?.machine.bootId
    const { stdout, stderr, error } = await type(`reboot -n ${worker}`, { answer: 'yes' })
    expect(error).toBeUndefined()
    expect(stderr[0]).toContain(`Reboot ${worker}?`)
    expect(stdout).toMatch(/demo-workers-1 +rebooted/)
    expect(node(worker)?.machine.bootId).not.toBe(before)
    expect(node(worker)?.stage.name).toBe('running')
  })

  it('is etcd, one member after the other', async () => {
    expect(await printed('etcd defrag --yes')).toMatch(/demo-control-plane-1 +4\.2 MB +2\.1 MB/)
    expect(await printed('etcd alarm disarm --yes')).toContain('NODE')
  })
})

describe('whom one is', () => {
  it('is no more than what is done needs', async () => {
    const more = talosVerbs.filter(({ role }) => role !== 'os:reader')
    expect(Object.fromEntries(more.map(({ verb, role }) => [verb, role]))).toEqual({
      cgroups: 'os:admin',
      copy: 'os:admin',
      'etcd alarm disarm': 'os:operator',
      'etcd defrag': 'os:operator',
      'etcd snapshot': 'os:etcd:backup',
      health: 'os:admin',
      'image pull': 'os:operator',
      patch: 'os:admin',
      pcap: 'os:operator',
      read: 'os:admin',
      reboot: 'os:operator',
      reset: 'os:admin',
      rollback: 'os:admin',
      'service restart': 'os:operator',
      shutdown: 'os:operator',
    })
  })

  it('may be given, and then neither state nor Hetzner is asked, nor the firewall opened', async () => {
    const talosconfig = await mintTalosconfig(bench.run(), { file, hours: 1, role: 'os:reader' })
    await writeFile(path('talosconfig'), talosconfig)
    const firewall = [...bench.sandbox.world.hetzner.firewalls.values()]
    expect(firewall.length).toBeGreaterThan(0)
    const context = bench.run({
      hetznerToken: undefined,
      state: { ...bench.run().state, identity: undefined },
    })
    const { error } = await type(`version --talosconfig ${path('talosconfig')}`, { context })
    // Nobody has let this machine in.
    expect(error).toMatchObject({ code: 'talos-unreachable' })
    await writeFile(path('broken'), 'contexts: {a: {endpoints: [10.0.0.1], ca: "!"}}')
    expect(
      (await type(`version --talosconfig ${path('broken')} --context a`, { context })).error,
    ).toMatchObject({ code: 'talosconfig-invalid' })
  })
})

it('a reset wipes a node back into maintenance', async () => {
  expect(await printed(`reset --yes -n ${worker}`)).toContain('is being wiped')
  await expect.poll(() => node(worker)?.stage.name, patient).toBe('maintenance')
})
