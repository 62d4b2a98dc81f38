import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { generateX25519Identity } from 'age-encryption'
import { checkOut } from '../../scripts/checkout.ts'
import { extractHelm } from '../../scripts/extract-helm.ts'
import type { SimulatedEvent } from '../../scripts/runner-event.ts'
import { RunnerJob, type RunnerOptions, type StepResult } from '../../scripts/runner-job.ts'
import { serveGithubGit } from '../../src/sandbox/git/serve-github-git.ts'
import { sandboxEnvironment } from '../../src/sandbox/sandbox-environment.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { deriveSigningKey } from '../../src/store/trust/signing-key.ts'
import { makeRecordingTools } from '../commands/recording-tools.ts'
import { hangLimitMs } from '../hang-limit.ts'

/** A sandbox, a checked out repository with a cluster file, and runners that run the committed bundle in it. */
export interface RunnerBench extends AsyncDisposable {
  readonly sandbox: Sandbox
  readonly repository: string
  /** Where the repository is served to jobs, as GITHUB_SERVER_URL. */
  readonly serverUrl: string
  readonly identity: string
  readonly workspace: string
  readonly folder: string
  /** Inputs of a job that may do everything. */
  readonly all: Readonly<Record<string, string>>
  /** Inputs of a job that may only look: no identity, and a token that cannot write. */
  readonly readOnly: Readonly<Record<string, string>>
  /** What git and helm were called with. */
  argv(): Promise<string>
  /** Everything that any step printed, wrote or put out, for canaries. */
  readonly seen: StepResult[]
  /** Of the newest commit of the default branch, unless another one is named. */
  job(event: SimulatedEvent, name?: string, sha?: string, surroundings?: Surroundings): BenchJob
  /** The newest commit of the default branch. */
  readonly head: string
  /** Checks out a cluster file that is merged. The text ends in its section `state`, to which the signer is added. */
  writeClusterFile(text: string, path?: string): Promise<void>
  /** Checks one out that is not: that of a pull request. */
  proposeClusterFile(text: string): Promise<void>
}

/** What is different for one job. */
type Surroundings = Partial<Pick<RunnerOptions, 'environment' | 'onStart'>>

/** A job whose results are kept for canaries. */
export interface BenchJob {
  readonly runner: RunnerJob
  step(action: string, inputs: Readonly<Record<string, string>>): Promise<StepResult>
  finish(): Promise<StepResult[]>
}

/** Whole runs in processes of their own, on whatever machine: a limit for hanging, not for slowness. */
export const wholeRuns = { timeout: hangLimitMs }

/** One control plane and one worker: what a test of the outermost layer needs. */
export const smallCluster = `clusterName: demo
hetzner: { region: hel1 }
nodes:
  controlPlane: { count: 1, type: cx23 }
  workers: { count: 1, type: cx23 }
talos: { version: v1.13.9 }
kubernetes: { version: 1.36.3 }
# Besides that of the runs; nobody has the keys.
state:
  recipients:
    - age1ktayav25lhrgzxfwyejyluaq6mwg5ruk43elhc9u0927s5xnzqhs2eg575
    - age17fvfhl8maclzvwq8v9e8hwnpl3705980vasjc9m5hnguv8exdpkqule9w7
`

const root = resolve(import.meta.dirname, '../..')

/** Jobs with `debugLogging` run with everything on that makes anything of them log more. */
export async function startRunnerBench({ debugLogging = false } = {}): Promise<RunnerBench> {
  const folder = await mkdtemp(join(tmpdir(), 'hcloud-talos-e2e-'))
  const workspace = join(folder, 'workspace')
  await mkdir(workspace)
  const path = process.env['PATH'] ?? ''
  const sandbox = await startSandbox({ folder, path, latencies: 'none' })
  const { endpoints, world } = sandbox
  const git = await serveGithubGit(endpoints, { folder, path })
  world.onClose(git.close)
  const identity = await generateX25519Identity()
  const { signer } = deriveSigningKey({ secret: identity })
  const tools = await makeRecordingTools(join(folder, 'recording-tools'), {
    path,
    helm: await extractHelm(),
  })
  const seen: StepResult[] = []
  let runs = 1_000
  const checkout = await checkOut(endpoints.git.folder, workspace)
  let head = await checkout.merge('README.md', 'Clusters\n')
  await writeFile(join(workspace, 'cluster.yaml'), smallCluster)
  return {
    sandbox,
    identity,
    workspace,
    folder,
    seen,
    argv: tools.argv,
    repository: endpoints.github.repository,
    serverUrl: git.url,
    all: { 'hcloud-token': endpoints.hcloud.token, 'age-identity': identity },
    readOnly: { 'hcloud-token': endpoints.hcloud.readOnlyToken },
    get head() {
      return head
    },
    job(event, name = event.name, sha = head, { environment, ...surroundings } = {}) {
      const runId = ++runs
      const runner = new RunnerJob({
        actions: root,
        folder: join(folder, `run-${runId}`),
        workspace,
        environment: {
          ...outsideOf(sandbox),
          ...(debugLogging && debugVariables),
          PATH: `${tools.folder}:${path}`,
          HOME: folder,
          HCLOUD_TALOS_HELM: tools.helm,
          ...environment,
        },
        ...surroundings,
        event: { ...event, sha },
        repository: endpoints.github.repository,
        runId,
        job: name,
        token: endpoints.github.token,
        apiUrl: endpoints.github.api,
        serverUrl: git.url,
      })
      const keep = (result: StepResult) => {
        seen.push(result)
        return result
      }
      return {
        runner,
        step: async (action, inputs) => keep(await runner.step(action, inputs)),
        finish: async () => (await runner.finish()).map(keep),
      }
    },
    async writeClusterFile(text, path = 'cluster.yaml') {
      head = await checkout.merge(path, `${text}  signer: ${signer}\n`)
    },
    proposeClusterFile: (text) =>
      writeFile(join(workspace, 'cluster.yaml'), `${text}  signer: ${signer}\n`),
    async [Symbol.asyncDispose]() {
      await sandbox.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** What people set who want to see everything: no secret may be in what they see then. */
const debugVariables = {
  RUNNER_DEBUG: '1',
  ACTIONS_STEP_DEBUG: 'true',
  DEBUG: '*',
  GIT_TRACE: '1',
  GIT_TRACE_CURL: '1',
  GIT_CURL_VERBOSE: '1',
  GRPC_TRACE: 'all',
  GRPC_VERBOSITY: 'DEBUG',
  HELM_DEBUG: 'true',
}

/** The sandbox's endpoints alone: tokens and the place of the state come as they do on GitHub. */
function outsideOf({ endpoints }: Sandbox): Record<string, string> {
  const {
    HCLOUD_TOKEN: _token,
    HCLOUD_TALOS_REMOTE: _remote,
    ...rest
  } = sandboxEnvironment(endpoints)
  return rest
}
