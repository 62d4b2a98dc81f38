import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { request } from 'node:https'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import type { RunnerBench } from './runner-bench.ts'

/** Names of the firewalls through which runs let themselves in. */
export function temporaryRules({ sandbox }: RunnerBench): string[] {
  return [...sandbox.world.hetzner.firewalls.values()]
    .map(({ name }) => name)
    .filter((name) => name.includes('-access-'))
}

/** The refs of the repository that are the state's: its branch, and the locks that are held. */
export async function stateRefs({ sandbox }: RunnerBench): Promise<string[]> {
  const { folder } = sandbox.endpoints.git
  const run = promisify(execFile)
  const { stdout } = await run('git', ['-C', folder, 'for-each-ref', '--format=%(refname)'])
  return stdout.split('\n').filter((ref) => ref !== '' && ref !== 'refs/heads/main')
}

/** What Hetzner still has of anything that costs or binds. */
export function leftOvers({ sandbox }: RunnerBench): string[] {
  const { servers, networks, firewalls, loadBalancers, placementGroups, volumes, sshKeys } =
    sandbox.world.hetzner
  return [servers, networks, firewalls, loadBalancers, placementGroups, volumes, sshKeys].flatMap(
    (kind) => [...kind.values()].map(({ name }) => name),
  )
}

/** The names of a cluster's nodes that are Ready, as seen with a kubeconfig by a step of the job. */
export async function readyNodes(kubeconfigPath: string): Promise<string[]> {
  const { clusters, users } = parse(await readFile(kubeconfigPath, 'utf8'))
  const decode = (value: string) => Buffer.from(value, 'base64')
  const text = await get(`${clusters[0].cluster.server}/api/v1/nodes`, {
    ca: decode(clusters[0].cluster['certificate-authority-data']),
    cert: decode(users[0].user['client-certificate-data']),
    key: decode(users[0].user['client-key-data']),
  })
  const list: { items: Node[] } = JSON.parse(text)
  return list.items
    .filter(({ status }) =>
      status.conditions.some((one) => one.type === 'Ready' && one.status === 'True'),
    )
    .map(({ metadata }) => metadata.name)
    .sort()
}

interface Node {
  readonly metadata: { readonly name: string }
  readonly status: { readonly conditions: readonly { type: string; status: string }[] }
}

function get(url: string, tls: { ca: Buffer; cert: Buffer; key: Buffer }): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request(url, { ...tls, agent: false, timeout: 5_000 }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    })
    call.on('error', reject)
    call.on('timeout', () => call.destroy(new Error('nobody answers')))
    call.end()
  })
}
