import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { commandBlocks } from '../docs/command-blocks.ts'
import { makeReader } from '../drills/reader.ts'
import { typeCommands } from '../drills/type-commands.ts'
import { agePrograms } from '../peers/store/store-peers.ts'
import { lossHands } from './loss-hands.ts'
import type { RealCluster } from './real-cluster.ts'

const first = 'demo-control-plane-1'
const controlPlanes = [first, 'demo-control-plane-2', 'demo-control-plane-3'] as const
const worker = 'demo-pool-1'
const nodes = [...controlPlanes, worker]
const key = 'demo/demo-20261128T020000Z.etcd.age'

/** What a cluster of three control planes and a worker can lose, and the ways back of docs/disaster-recovery.md. */
export function losses(cluster: () => RealCluster): void {
  const world = () => cluster().world

  const { deleteServers, keep, kept, type, expectHealthy } = lossHands(cluster, {
    controlPlanes,
    workers: [worker],
  })

  const typedName = [['Type the name of the cluster to restore it: ', 'demo']] as const

  it('of three control planes one survives: its snapshot brings everything back, also after a kill', async () => {
    await keep('of-today')
    await deleteServers(controlPlanes.slice(0, 2))
    const { folder } = cluster().bench
    await mkdir(join(folder, 'killed'))
    const place = join('killed', 'survivor.etcd.age')
    await cluster().succeed('snapshot', place)
    const restore = ['restore', '--snapshot', place, '--confirm', 'demo']
    const killed = await cluster().bench.run(restore, {
      onStart(child) {
        child.stderr?.on('data', (text: Buffer) => {
          if (String(text).includes('✓ Empty the control planes')) child.kill('SIGKILL')
        })
      },
    })
    expect(killed.signal, killed.stderr).toBe('SIGKILL')
    const plan = await cluster().run('plan')
    expect(plan.stdout + plan.stderr).toContain(`hcloud-talos restore --snapshot ${place}`)
    await cluster().succeed(...restore)
    expect(await readdir(join(folder, 'killed'))).toContainEqual(
      expect.stringMatching(/^demo-replaced-demo-control-plane-3-/),
    )
    await expectHealthy()
    expect(await kept('of-today')).toBe(true)
  })

  it('every server is deleted: a snapshot brings the cluster back, workers after etcd', async () => {
    await keep('before-the-snapshot')
    const buckets = world().storage.buckets
    buckets.set('my-bucket', new Map())
    await cluster().succeed('snapshot', `s3://my-bucket/${key}`)
    await keep('after-the-snapshot')
    await deleteServers(nodes)
    const typed = await type('etcd-lost', typedName)
    expect(typed.code, typed.shown).toBe(0)
    await expectHealthy()
    expect(await kept('before-the-snapshot')).toBe(true)
    expect(await kept('after-the-snapshot')).toBe(false)
    const sealed = buckets.get('my-bucket')?.get(key)
    expect(sealed).toBeDefined()
    await writeFile(join(cluster().bench.folder, 'demo-20261128T020000Z.etcd.age'), sealed ?? '')
  })

  it('a snapshot is an age file that etcdutl reads, as docs/disaster-recovery.md prints it', async () => {
    const block = commandBlocks().find(
      ({ file, fate }) => file === 'docs/disaster-recovery.md' && fate.kind === 'run-by',
    )
    const { environment, home } = await makeReader(cluster().bench)
    const { folder, identity } = cluster().bench
    await writeFile(join(folder, 'age-identity.txt'), `${identity}\n`, { mode: 0o600 })
    const path = [await agePrograms(), cluster().etcdTools, environment['PATH']].join(':')
    const sitting = { shell: 'dash', folder, answers: [] } as const
    const typed = await typeCommands(block?.text ?? '', {
      ...sitting,
      environment: { ...environment, HOME: home, PATH: path },
    })
    expect(typed.code, typed.shown).toBe(0)
    expect(typed.shown).toMatch(/TOTAL KEYS|[0-9a-f]{6,8}, \d+, \d+, /)
  })

  it('a plain snapshot goes over an etcd that is alive, where that is meant', async () => {
    await keep('in-the-plain-one')
    await cluster().succeed('talos', 'etcd', 'snapshot', 'etcd.snapshot')
    await keep('after-the-plain-one')
    const typed = await type('plain-snapshot', typedName)
    expect(typed.code, typed.shown).toBe(0)
    await expectHealthy()
    expect(await kept('in-the-plain-one')).toBe(true)
    expect(await kept('after-the-plain-one')).toBe(false)
  })

  it('a Node object is brought back by an apply, while the control plane that it talks to goes off', async () => {
    const gone = await cluster().kubectl('delete', 'node', worker)
    expect(gone.code, gone.stderr).toBe(0)
    const lines: string[] = []
    const isBack = Promise.withResolvers<void>()
    const running = cluster().bench.run(['apply', '--yes'], {
      onStart({ stderr }) {
        if (!stderr) return
        createInterface({ input: stderr }).on('line', (line) => {
          lines.push(line)
          const machine = world().machineNamed(first)
          if (/^ +demo-pool-1: /.test(line) && machine) void world().shutdown(machine)
          if (/^[✓✗] Configure nodes/.test(line)) isBack.resolve()
        })
      },
    })
    void running.then(() => isBack.resolve())
    await isBack.promise
    expect(world().machineNamed(first)?.power, lines.join('\n')).toBe('off')
    // The first control plane is silent to every packet, and the next one is asked.
    const taken = await cluster().succeed('talos', 'etcd', 'snapshot', 'plain.snapshot')
    expect(taken.stderr).toContain(', of demo-control-plane-2')
    const { code, stderr } = await running
    expect(code, stderr).toBe(46)
    expect(stderr).toContain('switched off while this ran: the server of demo-control-plane-1')
    // As docs/control-planes.md has it: an apply starts the server.
    await cluster().succeed('apply', '--yes')
    expect(world().machineNamed(first)?.power).toBe('on')
    await expectHealthy()
  })
}
