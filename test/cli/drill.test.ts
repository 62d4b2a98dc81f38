import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectKubernetes } from '../../src/kubernetes/kubernetes-client.ts'
import { createClock } from '../../src/lib/clock.ts'
import { systemRandom } from '../../src/lib/random.ts'
import { runWeb } from '../commands/workloads.ts'
import { hangLimitMs } from '../hang-limit.ts'
import { type CommandBench, startCommandBench } from './command-bench.ts'

/** The drill of docs/disaster-recovery.md, with the command in processes of its own. */
const clusterYaml = `clusterName: demo
hetzner: { region: hel1 }
nodes:
  controlPlane: { count: 3, type: cx23 }
  workers: { count: 1, type: cx33 }
talos: { version: v1.13.9 }
kubernetes: { version: 1.36.3 }
cni: { type: cilium }
firewall: { kubernetesApi: [127.0.0.0/8] }
`

let bench: CommandBench
let machine: string

beforeAll(async () => {
  bench = await startCommandBench()
  machine = join(bench.folder, '..', 'fresh-machine')
  await bench.write('cluster.yaml', clusterYaml)
  publish('cluster.yaml')
  expect((await bench.run(['apply', '--yes'])).code).toBe(0)
}, hangLimitMs)
afterAll(() => bench[Symbol.asyncDispose]())

/** Puts a file onto the default branch, as a person does. */
function publish(file: string): void {
  const remote = bench.sandbox.endpoints.git.folder
  const git = (...args: string[]) => execFileSync('git', ['-C', bench.folder, ...args])
  git('init', '-q', '-b', 'main')
  git('add', file)
  git('-c', 'user.name=Anna', '-c', 'user.email=anna@example.com', 'commit', '-qm', 'The cluster')
  git('push', '-q', remote, 'main')
  execFileSync('git', ['-C', remote, 'symbolic-ref', 'HEAD', 'refs/heads/main'])
}

async function withKubernetes<T>(
  path: string,
  work: (client: Awaited<ReturnType<typeof connectKubernetes>>) => Promise<T>,
): Promise<T> {
  const kubeconfig = await readFile(path, 'utf8')
  const client = await connectKubernetes({
    kubeconfig,
    clock: createClock(),
    random: systemRandom,
  })
  try {
    return await work(client)
  } finally {
    client.close()
  }
}

const deployments = { apiVersion: 'apps/v1', kind: 'Deployment' }

it('a fresh machine with the repository and an age key has a kubeconfig in one command', async () => {
  await mkdir(machine)
  execFileSync('git', ['clone', '-q', bench.sandbox.endpoints.git.folder, machine])
  const env = { HCLOUD_TOKEN: undefined, HCLOUD_TALOS_REMOTE: undefined, HOME: machine }
  const ended = await bench.run(['kubeconfig'], { cwd: machine, env })
  expect(ended.code, ended.stderr).toBe(0)
  expect(ended.stderr).toContain('no token for Hetzner')
  const nodes = await withKubernetes(join(machine, 'kubeconfig'), (client) =>
    client.list({ apiVersion: 'v1', kind: 'Node' }),
  )
  expect(nodes).toHaveLength(4)
})

it(
  'every server is lost: a snapshot and the state bring the cluster and its workloads back',
  async () => {
    const { world } = bench.sandbox
    const kubeconfig = join(machine, 'kubeconfig')
    await withKubernetes(kubeconfig, (client) => runWeb(client, world))
    const taken = await bench.run(['snapshot', 's3://backups/demo/', '--json'])
    expect(taken.code, taken.stderr).toBe(0)
    const { place, digest } = JSON.parse(taken.stdout)
    const { endpoint, token } = bench.sandbox.endpoints.hcloud
    for (const id of [...world.hetzner.servers.keys()]) {
      const headers = { Authorization: `Bearer ${token}` }
      await fetch(`${endpoint}/servers/${id}`, { method: 'DELETE', headers })
    }
    while (world.hetzner.servers.size > 0) await new Promise((done) => setTimeout(done, 20))

    const unconfirmed = await bench.run(['restore', '--snapshot', place])
    expect(unconfirmed.code).toBe(47)
    expect(unconfirmed.stderr).toContain('+ server demo-control-plane-1')
    expect(world.hetzner.servers.size).toBe(0)
    const args = ['restore', '--snapshot', place, '--confirm', 'demo', '--json']
    const restored = await bench.run(args)
    expect(restored.code, restored.stderr).toBe(0)
    expect(JSON.parse(restored.stdout)).toEqual({ restored: true, snapshot: digest, left: 0 })

    expect((await bench.run(['kubeconfig', '-o', kubeconfig])).code).toBe(0)
    await withKubernetes(kubeconfig, async (client) => {
      const all = await client.list({ ...deployments, namespace: 'default' })
      expect(all.map(({ metadata }) => metadata.name)).toEqual(['web'])
      const nodes = await client.list({ apiVersion: 'v1', kind: 'Node' })
      const ids = nodes.map(({ spec }) => JSON.stringify(spec)).join()
      for (const id of world.hetzner.servers.keys()) expect(ids).toContain(`hcloud://${id}"`)
    })
    expect((await bench.run(['plan', '--detailed-exitcode'])).code).toBe(0)
    expect((await bench.run(['verify'])).code).toBe(0)
  },
  hangLimitMs,
)

it(
  'the branch is lost: a talosconfig brings the state back',
  async () => {
    expect((await bench.run(['talosconfig'])).code).toBe(0)
    const remote = bench.sandbox.endpoints.git.folder
    execFileSync('git', ['-C', remote, 'update-ref', '-d', 'refs/heads/hcloud-talos'])
    expect((await bench.run(['plan'])).code).toBe(32)
    expect((await bench.run(['recover', '--yes'])).code).toBe(3)
    const recovered = await bench.run([
      'recover',
      '--yes',
      '--talosconfig',
      'talosconfig',
      '--json',
    ])
    expect(recovered.code, recovered.stderr).toBe(0)
    expect(JSON.parse(recovered.stdout)).toMatchObject({ changes: 0 })
    expect((await bench.run(['plan', '--detailed-exitcode'])).code).toBe(0)
    expect((await bench.run(['verify'])).code).toBe(0)
  },
  hangLimitMs,
)

it('nothing of it is left lying about', async () => {
  expect(await readdir(bench.temporaryFolder)).toEqual([])
  expect(bench.sandbox.world.contractErrors).toEqual([])
  await rm(machine, { recursive: true })
  await writeFile(join(bench.folder, 'talosconfig'), '')
})
