import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { systemRandom } from '../../src/lib/random.ts'
import { Redactor } from '../../src/lib/redactor.ts'
import { createSecretFiles } from '../../src/store/files/secret-files.ts'
import { buildGeneration, type Generation } from '../../src/store/generation.ts'
import { type CommitRequest, commitStream } from '../../src/store/git/commit-stream.ts'
import { applyFiles, nextGeneration, type StateChanges } from '../../src/store/state-changes.ts'
import type { AgeIdentity } from '../../src/store/trust/identity.ts'
import { createStateTrust } from '../../src/store/trust/state-trust.ts'

/** How long a state branch is, and how many clusters stand on it. */
export interface StateShape {
  /** Of the first cluster; the others have one each. */
  readonly generations: number
  readonly clusters: number
}

export const benchBranch = 'hcloud-talos'
export const benchRepository = 'bench/clusters'
export const benchCluster = 'cluster-1'

const nodes = ['control-plane-1', 'control-plane-2', 'control-plane-3', 'workers-1', 'workers-2']

/** A machine config as long as they are, with a secret and something that changes. */
function machineConfig(node: string, serial: number): string {
  const entries = Array.from({ length: 120 }, (_, index) => `    setting-${index}: ${node}-value`)
  return `machine:\n  token: secret-of-${node}-${serial}\n  sysctls:\n${entries.join('\n')}\n`
}

function changesOf(cluster: string, number: number): StateChanges {
  const facts = [{ fact: 'upgrade-started', node: `workers-${number}` }] as const
  const node = nodes[number % nodes.length] ?? 'workers-1'
  if (number > 1) return { facts, nodeConfigs: { [node]: machineConfig(node, number) } }
  const uid = Buffer.from(cluster.padEnd(8)).toString('hex').slice(0, 16)
  return {
    inventory: { clusterName: cluster, uid, nodes: [], addons: {}, bootstrapped: true },
    secrets: `cluster:\n  id: ${cluster}\n  secret: ${'s'.repeat(2_000)}\n`,
    nodeConfigs: Object.fromEntries(nodes.map((name) => [name, machineConfig(name, 1)])),
  }
}

/** Writes a state branch of this shape into a bare repository, signed and encrypted as any other, in one process of git. */
export async function writeHistory(
  folder: string,
  { generations, clusters }: StateShape,
  identity: AgeIdentity,
): Promise<void> {
  const requests: CommitRequest[] = []
  for (let number = clusters; number >= 1; number--) {
    const cluster = `cluster-${number}`
    let base: Generation | undefined
    for (let count = 1; count <= (number === 1 ? generations : 1); count++) {
      const next = await nextGeneration(base, changesOf(cluster, count), {
        cluster,
        repository: benchRepository,
        trust: createStateTrust([], [identity]),
        writer: { run: 'bench', attempt: 1, host: 'bench' },
        toolVersion: '0.0.0',
        secretFiles: createSecretFiles({
          cluster,
          recipients: [],
          identities: [identity],
          redactor: new Redactor(),
          random: systemRandom,
        }),
        nonce: String(requests.length).padStart(32, '0'),
        now: Date.now(),
      })
      if (!next) throw new Error('a generation of the bench changes nothing')
      base = buildGeneration('', next.manifest, applyFiles(base?.files, next.files))
      const files = [...next.files].map(
        ([path, content]) => [`${cluster}/${path}`, content] as const,
      )
      // The marks that the stream gives to commits begin at one.
      const parent = requests.length === 0 ? undefined : `:${requests.length}`
      requests.push({ parent, message: `Generation ${count}`, files: new Map(files) })
    }
  }
  const ids = await git(
    folder,
    ['fast-import', '--quiet', '--done', '--force', '--date-format=raw'],
    {
      input: commitStream(requests, Date.now()),
    },
  )
  const tip = ids.trim().split('\n').at(-1) ?? ''
  await git(folder, ['update-ref', `refs/heads/${benchBranch}`, tip])
}

async function git(
  folder: string,
  args: readonly string[],
  { input = new Uint8Array() }: { readonly input?: Uint8Array } = {},
): Promise<string> {
  const child = spawn('git', [`--git-dir=${folder}`, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  // One that ends without having read says why by its exit code.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`git ${args[0]} ended with exit code ${code}`)
  return Buffer.concat(chunks).toString('utf8')
}
