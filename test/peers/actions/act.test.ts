import { execFile, spawn } from 'node:child_process'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { extractHelm } from '../../../scripts/extract-helm.ts'
import { pullRequestEvent, pushEvent, type SimulatedEvent } from '../../../scripts/runner-event.ts'
import { sandboxEnvironment } from '../../../src/sandbox/sandbox-environment.ts'
import { plantedSecrets } from '../../e2e/canaries.ts'
import { stateRefs, temporaryRules } from '../../e2e/outside-view.ts'
import { type RunnerBench, smallCluster, startRunnerBench } from '../../e2e/runner-bench.ts'
import { actProgram } from './action-peers.ts'

const root = resolve(import.meta.dirname, '../../..')

/** Both jobs of a user's workflow, with the action from the repository itself. */
const workflow = `name: cluster
on:
  pull_request: {}
  push: { branches: [main] }
jobs:
  plan:
    if: github.event_name != 'push'
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@v6
        with: { persist-credentials: false }
      - id: plan
        uses: ./
        with:
          hcloud-token: \${{ secrets.READ_ONLY_TOKEN }}
      - run: echo "planned $CHANGES changes"
        env:
          CHANGES: \${{ steps.plan.outputs.changes }}
  apply:
    if: github.event_name == 'push'
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@v6
        with: { persist-credentials: false }
      - id: cluster
        uses: ./reconcile
        with:
          hcloud-token: \${{ secrets.HCLOUD_TOKEN }}
          age-identity: \${{ secrets.AGE_IDENTITY }}
      - run: test "$(stat -c %a "$KUBECONFIG")" = 600 && kubectl get nodes
        env:
          KUBECONFIG: \${{ steps.cluster.outputs.kubeconfig }}
`

let bench: RunnerBench
let program: string
let repository: string

beforeAll(async () => {
  program = await actProgram()
  bench = await startRunnerBench()
  repository = join(bench.folder, 'repository')
  await mkdir(join(repository, '.github', 'workflows'), { recursive: true })
  await writeFile(join(repository, '.github', 'workflows', 'cluster.yaml'), workflow)
  await bench.writeClusterFile(smallCluster)
  await cp(join(bench.workspace, 'cluster.yaml'), join(repository, 'cluster.yaml'))
  for (const entry of ['action.yml', 'reconcile', 'dist']) {
    await cp(join(root, entry), join(repository, entry), { recursive: true })
  }
  await commitAll(repository)
})

afterAll(async () => {
  await bench[Symbol.asyncDispose]()
})

/** act reads the branch, the commit and the remote from the repository that it runs in. */
async function commitAll(folder: string): Promise<void> {
  const name = ['-c', 'user.name=somebody', '-c', 'user.email=somebody@example.com']
  for (const args of [
    ['init', '--quiet', '--initial-branch=main'],
    ['remote', 'add', 'origin', `https://github.com/${bench.repository}`],
    ['add', '--all'],
    [...name, 'commit', '--quiet', '--message=A cluster'],
  ]) {
    await promisify(execFile)('git', ['-C', folder, ...args])
  }
}

interface ActResult {
  readonly exitCode: number | null
  readonly log: string
}

/** Runs the workflow for an event, as `act` plays GitHub: its own runner, its own expressions and masks. */
async function act(event: SimulatedEvent): Promise<ActResult> {
  const { hcloud, github } = bench.sandbox.endpoints
  const { HCLOUD_TOKEN: _token, ...outside } = sandboxEnvironment(bench.sandbox.endpoints)
  const eventPath = join(bench.folder, 'act-event.json')
  const secretsPath = join(bench.folder, 'act-secrets')
  const payload = { ...event.payload, repository: { ...owned(github.repository) } }
  await writeFile(eventPath, JSON.stringify(payload))
  const secrets = {
    HCLOUD_TOKEN: hcloud.token,
    READ_ONLY_TOKEN: hcloud.readOnlyToken,
    AGE_IDENTITY: bench.identity,
    GITHUB_TOKEN: github.token,
  }
  await writeFile(secretsPath, lines(secrets), { mode: 0o600 })
  const envPath = join(bench.folder, 'act-env')
  const more = { HCLOUD_TALOS_HELM: await extractHelm(), GITHUB_SERVER_URL: bench.serverUrl }
  await writeFile(envPath, lines({ ...outside, ...more }))
  const args = [
    event.name,
    '--eventpath',
    eventPath,
    '--secret-file',
    secretsPath,
    '--env-file',
    envPath,
    '--platform',
    'ubuntu-24.04=-self-hosted',
    '--pull=false',
  ]
  // The Node that runs this test is the one that actions run on.
  const path = [dirname(process.execPath), process.env['PATH'] ?? ''].join(':')
  const child = spawn(program, args, {
    cwd: repository,
    env: { PATH: path, HOME: bench.folder },
  })
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  }
  const exitCode = await new Promise<number | null>((done, fail) => {
    child.once('error', fail)
    child.once('close', done)
  })
  return { exitCode, log: Buffer.concat(chunks).toString('utf8') }
}

function owned(fullName: string) {
  const [owner = '', name = ''] = fullName.split('/')
  return { full_name: fullName, name, owner: { login: owner }, default_branch: 'main' }
}

function lines(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}

describe('a workflow that act runs', () => {
  test('comments the plan of a pull request', async () => {
    const { exitCode, log } = await act(pullRequestEvent(bench.repository))
    expect(exitCode, log).toBe(0)
    expect(log).toContain('planned 17 changes')
    expect(bench.sandbox.github.comments.map(({ body }) => body)).toEqual([
      expect.stringContaining('demo: 17 to create'),
    ])
  })

  test('applies on push, hands out a kubeconfig, and leaves nothing open', async () => {
    const { exitCode, log } = await act(pushEvent(bench.repository))
    expect(exitCode, log).toBe(0)
    expect(log).toMatch(/demo-control-plane-1\s+Ready/)
    expect(temporaryRules(bench)).toEqual([])
    expect(await stateRefs(bench)).toEqual(['refs/heads/hcloud-talos'])
    const leaked = plantedSecrets(bench).filter((secret) => log.includes(secret))
    expect(leaked).toEqual([])
    expect(bench.sandbox.world.contractErrors).toEqual([])
  })
})
