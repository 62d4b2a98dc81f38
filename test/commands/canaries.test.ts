import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { generateX25519Identity } from 'age-encryption'
import { expect, it } from 'vitest'
import { mintAccess } from '../../src/commands/access/mint-access.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { destroyCluster } from '../../src/commands/cluster/destroy-cluster.ts'
import { describeError } from '../../src/lib/describe-error.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { renderPlanJson } from '../../src/plan/render-json.ts'
import { renderPlanMarkdown } from '../../src/plan/render-markdown.ts'
import { renderPlanText } from '../../src/plan/render-text.ts'
import { readClusterFile } from '../../src/run/hetzner-talos/cluster-session.ts'
import { openStateStore } from '../../src/run/open-state-store.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import { talosState } from '../../src/sandbox/talos/talos-state.ts'
import { secretLeaves } from '../../src/talos/config/secrets-bundle.ts'
import { parseSecretsBundle } from '../../src/talos/config/secrets-bundle-yaml.ts'
import { clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { listeningProgress } from './listening-progress.ts'
import { makeRecordingTools } from './recording-tools.ts'
import { kubernetesOf } from './simulated-kubernetes.ts'
import { stateFiles, stateHistory } from './world-facts.ts'

const named = 'named-canary-8c1f'
const referring = {
  addons: { csrApprover: { values: { providerRegex: `^demo-.*$|\${secret:regex}` } } },
}
const file = clusterFile({}, referring)
const larger = clusterFile({ workers: 2 }, referring)
const yes = async () => true

it('no secret is in anything that a life of a cluster says, writes or leaves behind', async () => {
  await using bench = await startBench()
  const log: string[] = []
  const tools = await recordingTools(bench.run())
  const run = (partial: Partial<RunContext> = {}) => {
    const context = bench.run({
      progress: listeningProgress(log),
      ...tools.of(bench.run()),
      ...partial,
    })
    const environment = { ...context.state.environment, HCLOUD_TALOS_SECRET_REGEX: named }
    return { ...context, state: { ...context.state, environment } }
  }
  const show = (plan: Plan) => {
    log.push(renderPlanText(plan), renderPlanMarkdown(plan))
    log.push(JSON.stringify(renderPlanJson(plan)))
  }
  const fail = async (work: () => Promise<unknown>) => {
    const error = await work().then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeDefined()
    const { headline, details } = describeError(error)
    log.push(headline, ...details, inspect(error, { depth: 8 }))
  }

  show((await applyCluster(run(), { file })).plan)
  const secrets = await secretsOf(bench)
  const { store } = kubernetesOf(bench.sandbox.world).context
  const approver = store.get('deployments.apps', 'kube-system/kubelet-csr-approver')
  expect(JSON.stringify(approver)).toContain(named)
  const access = await mintAccess(run(), { file, hours: 1 })

  const stranger = await generateX25519Identity()
  const { state, hetznerToken: token = '' } = run()
  await fail(() => applyCluster(run({ hetznerToken: `${token}x` }), { file }))
  // Hetzner quotes the first half of a token in one of its refusals.
  bench.sandbox.world.faults.inject({ kind: 'rate-limit-token', front: 'hetzner', times: 500 })
  await fail(() => applyCluster(run(), { file: larger }))
  bench.sandbox.world.faults.clear()
  await fail(() => applyCluster(run({ state: { ...state, identity: stranger } }), { file: larger }))
  const { faults } = talosState(bench.sandbox.world)
  faults.refuseConfig('demo-workers-2', 'it does not like it')
  await fail(() => applyCluster(run(), { file: larger }))
  faults.release('demo-workers-2')
  show((await applyCluster(run(), { file: larger })).plan)

  const files = await stateFiles(bench)
  const left = await texts(run().tempFolder)
  show((await destroyCluster(run(), { file: larger, confirm: yes })).plan)

  const canaries = [
    token,
    token.slice(0, 32),
    bench.identity,
    stranger,
    named,
    ...secrets,
    ...keysOf(access.kubeconfig),
  ]
  expect(canaries.length).toBeGreaterThan(12)
  const outlets = {
    log: log.join('\n'),
    files: Object.values(files).join('\n'),
    history: await stateHistory(bench),
    argv: await tools.argv(),
    left: left.join('\n'),
  }
  for (const [outlet, text] of Object.entries(outlets)) {
    expect(text.length, outlet).toBeGreaterThan(100)
    for (const canary of canaries.flatMap(forms)) {
      expect(text.includes(canary), `${outlet} holds ${canary.slice(0, 40)}…`).toBe(false)
    }
  }
  expect(await temporaryFolders(bench.run().tempFolder)).toEqual([])
})

/** The leaves of the secrets that were minted, read as their owner would. */
async function secretsOf(bench: Bench): Promise<string[]> {
  const context = bench.run()
  const store = await openStateStore(context, readClusterFile(file).spec)
  await store.read()
  const bundle = parseSecretsBundle((await store.readSecrets()) ?? '', context.keys)
  await store.close()
  return secretLeaves(bundle)
}

function keysOf(kubeconfig: string): string[] {
  return [...kubeconfig.matchAll(/client-key-data: (\S+)/g)].flatMap(([, key]) => key ?? [])
}

/** A secret as it may stand somewhere: whole, in base64, and each line of it that says anything. */
function forms(secret: string): string[] {
  const lines = secret.split('\n').filter((line) => line.length >= 32 && !line.startsWith('-----'))
  return [secret, Buffer.from(secret).toString('base64'), ...lines]
}

/** A run whose git and helm write down what they are called with. */
async function recordingTools({ tempFolder, state, helm = '' }: RunContext) {
  const path = state.environment['PATH'] ?? ''
  const tools = await makeRecordingTools(join(tempFolder, 'recording-tools'), { path, helm })
  return {
    of: (context: RunContext): Partial<RunContext> => ({
      helm: tools.helm,
      state: {
        ...context.state,
        environment: { ...context.state.environment, PATH: `${tools.folder}:${path}` },
      },
    }),
    argv: tools.argv,
  }
}

/** Every file below a folder, git's packed objects aside: its history is read by git. */
async function texts(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(
    (entry) => entry.isFile() && !entry.parentPath.startsWith(join(folder, 'git')),
  )
  return Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')))
}

async function temporaryFolders(folder: string): Promise<string[]> {
  const known = ['git', 'cache', 'recording-tools']
  return (await readdir(folder)).filter((name) => !known.includes(name))
}
