import { execFile } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { expect } from 'vitest'
import { applySet } from '../../src/kubernetes/apply-set.ts'
import type { KubernetesClient } from '../../src/kubernetes/kubernetes-client.ts'
import { listNodes } from '../../src/kubernetes/nodes.ts'
import { createClock } from '../../src/lib/clock.ts'
import { systemRandom } from '../../src/lib/random.ts'
import type { Hardware } from '../../src/sandbox/hardware.ts'
import { deriveSigningKey } from '../../src/store/trust/signing-key.ts'
import { type CommandBench, type Invocation, startCommandBench } from '../cli/command-bench.ts'
import { yesterday } from '../commands/end-authorities.ts'
import { kubernetesOf } from '../commands/simulated-kubernetes.ts'
import { connectKubernetes } from '../kubernetes/connect-kubernetes.ts'
import { endAuthoritiesOf } from './end-authorities-of.ts'
import { makeReader } from './reader.ts'

const git = promisify(execFile)

/** A cluster as the pages have it in mind, and the machine of whoever reads them. */
export interface DrillBench extends AsyncDisposable {
  readonly bench: CommandBench
  /** Where the cluster file and credentials are. */
  readonly folder: string
  /** Somebody's environment: the command is on the PATH, the sandbox is the outside, and nothing of the test's is in it. */
  readonly environment: Readonly<Record<string, string>>
  machine(name: string): Hardware
  /** Deletes a server as if by a slip of the hand, and waits until it is gone. */
  deleteServer(name: string): Promise<void>
  /** Puts something into Kubernetes that can be looked for afterwards. */
  writeNote(name: string): Promise<void>
  /** Whether it is in Kubernetes now. */
  hasNote(name: string): boolean
  /** The nodes that Kubernetes names to whoever has this kubeconfig, which nobody but its owner can read. */
  nodesBy(kubeconfig: string): Promise<string[]>
  withKubernetes<T>(work: (client: KubernetesClient) => Promise<T>): Promise<T>
  /** Kills an apply once it holds the lock of the cluster, as a machine that dies. */
  killApply(): Promise<void>
  /** Lets every certificate authority have ended yesterday, by the clock that TLS goes by. */
  endAuthorities(): Promise<void>
  /** Merges what the preparation of a rotation prints, which prints it as often as it is asked. */
  mergePrepared(env: NonNullable<Invocation['env']>): Promise<void>
}

const clusterYaml = (state: object) => `clusterName: demo
hetzner: { region: hel1 }
nodes:
  controlPlane: { count: 3, type: cx23 }
  workers: { count: 1, type: cx33 }
talos: { version: v1.13.9 }
kubernetes: { version: 1.36.3 }
cni: { type: cilium }
firewall: { kubernetesApi: [127.0.0.0/8], talosApi: [127.0.0.0/8] }
state: ${JSON.stringify(state)}
`

/** Makes the cluster, with its file on the default branch of its repository. */
export async function startDrillBench(): Promise<DrillBench> {
  const bench = await startCommandBench()
  const { world, endpoints } = bench.sandbox
  const { home, environment } = await makeReader(bench)
  const offline = await generateX25519Identity()
  const { signer } = deriveSigningKey({ secret: bench.identity })
  const recipients = [bench.recipient, await identityToRecipient(offline)]
  await bench.write('cluster.yaml', clusterYaml({ signer: [signer], recipients }))
  await bench.write('offline.txt', `${offline}\n`)
  // The repository of the pages is the sandbox's.
  const instead = `[url "${endpoints.git.folder}"]\n\tinsteadOf = git@github.com:org/infrastructure\n`
  await writeFile(join(home, '.gitconfig'), instead)
  await publish(bench, 'cluster.yaml')
  world.storage.buckets.set('my-bucket', new Map())
  const made = await bench.run(['apply', '--yes'])
  if (made.code !== 0) throw new Error(made.stderr)
  await publish(bench, 'cluster.yaml')
  async function withKubernetes<T>(work: (client: KubernetesClient) => Promise<T>): Promise<T> {
    const own = join(home, 'kubeconfig')
    const minted = await bench.run(['kubeconfig', '--out', own])
    if (minted.code !== 0) throw new Error(minted.stderr)
    return withKubeconfig(own, work)
  }

  return {
    bench,
    folder: bench.folder,
    environment,
    machine(name) {
      const found = [...world.machines.values()].find((one) => one.name === name)
      if (!found) throw new Error(`there is no machine ${name}`)
      return found
    },
    async deleteServer(name) {
      const { servers } = world.hetzner
      const server = [...servers.values()].find((one) => one.name === name)
      if (!server) throw new Error(`there is no server ${name}`)
      const { endpoint, token } = endpoints.hcloud
      const headers = { Authorization: `Bearer ${token}` }
      await fetch(`${endpoint}/servers/${server.id}`, { method: 'DELETE', headers })
      while (servers.has(server.id)) await new Promise((done) => setTimeout(done, 20))
    },
    async writeNote(name) {
      const note = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { name } }
      const hooks = { before: [], after: [] }
      const set = { name, namespace: 'default', objects: [note], hooks }
      await withKubernetes((client) => applySet(client, set, world))
    },
    hasNote(name) {
      const notes = kubernetesOf(world).context.store.list('configmaps')
      return notes.some(({ metadata }) => metadata.name === name)
    },
    withKubernetes,
    async nodesBy(kubeconfig) {
      expect((await stat(kubeconfig)).mode & 0o777).toBe(0o600)
      const nodes = await withKubeconfig(kubeconfig, listNodes)
      return nodes.map(({ name }) => name).sort()
    },
    async killApply() {
      const { signal } = await bench.run(['apply', '--yes'], {
        onStart(child) {
          // It looks once it has the lock.
          child.stderr?.on('data', (text: string) => {
            if (text.includes('Look at what is there')) child.kill('SIGKILL')
          })
        },
      })
      expect(signal).toBe('SIGKILL')
    },
    async endAuthorities() {
      await endAuthoritiesOf(bench, yesterday())
    },
    async mergePrepared(env) {
      const prepared = await bench.run(['rotate', '--prepare', '--json'], { env })
      await bench.write('cluster.yaml', clusterYaml(JSON.parse(prepared.stdout).state))
      await publish(bench, 'cluster.yaml')
    },
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  }
}

async function withKubeconfig<T>(
  path: string,
  work: (client: KubernetesClient) => Promise<T>,
): Promise<T> {
  const kubeconfig = await readFile(path, 'utf8')
  const client = await connectKubernetes({ kubeconfig, clock: createClock(), random: systemRandom })
  try {
    return await work(client)
  } finally {
    client.close()
  }
}

/** Puts a file onto the default branch, as a person does. */
async function publish({ folder, sandbox }: CommandBench, file: string): Promise<void> {
  const remote = sandbox.endpoints.git.folder
  const here = (...args: string[]) => git('git', ['-C', folder, ...args])
  const anna = ['-c', 'user.name=Anna', '-c', 'user.email=anna@example.com']
  await here('init', '-q', '-b', 'main')
  await here('add', file)
  await here(...anna, 'commit', '-q', '--allow-empty', '-m', 'The cluster')
  await here('push', '-q', remote, 'main')
  await git('git', ['-C', remote, 'symbolic-ref', 'HEAD', 'refs/heads/main'])
}
