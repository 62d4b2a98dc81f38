/**
 * The main job on the embedded sandbox, as a user's repository would run it: the plan of a pull request,
 * the apply of a push, a second apply that finds nothing to do, a destroy that leaves nothing behind. The
 * product runs from the committed bundle in processes of its own; only its endpoints are the sandbox's.
 * What there is to look at afterwards stays in quickstart/.
 */
import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { generateX25519Identity } from 'age-encryption'
import { startSandbox } from '../src/sandbox/start-sandbox.ts'
import { extractHelm } from './extract-helm.ts'

const root = resolve(import.meta.dirname, '..')
const folder = join(root, 'quickstart')
const clusterFile = join(folder, 'cluster.yaml')
const started = Date.now()

await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
await copyFile(join(root, 'examples', 'minimal.yaml'), clusterFile)
const log = createWriteStream(join(folder, 'log.txt'))
const path = process.env['PATH'] ?? ''

title('Start the sandbox: Hetzner, Talos, Kubernetes, charts, GitHub and git on loopback')
const sandbox = await startSandbox({ folder, path })
const { world, endpoints } = sandbox
const identity = await generateX25519Identity()
await writeFile(join(folder, 'age-identity.txt'), `${identity}\n`, { mode: 0o600 })

/** What the product finds in its environment: the sandbox instead of the outside, and nothing of ours. */
const outside = {
  PATH: path,
  HOME: folder,
  HCLOUD_TOKEN: endpoints.hcloud.token,
  HCLOUD_ENDPOINT: endpoints.hcloud.endpoint,
  HCLOUD_TALOS_FACTORY: endpoints.factory,
  HCLOUD_TALOS_CHARTS: endpoints.charts.url,
  HCLOUD_TALOS_CHART_DIGESTS: Object.entries(endpoints.charts.digests)
    .map(([chart, sha256]) => `${chart}=${sha256}`)
    .join(','),
  HCLOUD_TALOS_IP_LOOKUP: endpoints.ipLookup,
  HCLOUD_TALOS_SSH_PORT: String(endpoints.sshPort),
  HCLOUD_TALOS_REMOTE: endpoints.git.folder,
  HCLOUD_TALOS_HELM: await extractHelm(),
}

try {
  title('A pull request: the plan as a comment')
  await runAction('reconcile', await pullRequest(), {
    'hcloud-token': endpoints.hcloud.readOnlyToken,
  })
  const [comment] = sandbox.github.comments
  expect(comment !== undefined, 'the pull request has a comment')
  await writeFile(join(folder, 'plan-comment.md'), comment?.body ?? '')
  say(comment?.body ?? '')

  title('The merge: apply')
  await runAction('reconcile', await push(), { 'age-identity': identity })

  title('The cluster: nodes, kubeconfig, talosconfig')
  await runCommand('kubeconfig', '--out', join(folder, 'kubeconfig'))
  await runCommand('talosconfig', '--out', join(folder, 'talosconfig'))

  title('Apply again: nothing is left to do')
  await runCommand('apply', '--yes')
  await runCommand('plan', '--detailed-exitcode')

  title('Destroy: nothing is left over')
  await runCommand('destroy', '--confirm', 'demo')
  const { servers, networks, firewalls, loadBalancers, placementGroups, volumes } = world.hetzner
  const left = [servers, networks, firewalls, loadBalancers, placementGroups, volumes]
  expect(
    left.every((kind) => kind.size === 0),
    'Hetzner has no server, network, firewall, load balancer, placement group or volume',
  )
  expect(world.contractErrors.length === 0, 'the product sent nothing that no API knows')
} finally {
  await sandbox.close()
}
title(`Done in ${Math.round((Date.now() - started) / 1000)} s. Look at quickstart/:`)
say(`  git/clusters.git  the bare repository: git -C quickstart/git/clusters.git log --stat hcloud-talos
  plan-comment.md   the plan as the pull request shows it
  summary.md        the job summaries
  log.txt           everything that was printed`)
log.end()

function title(text: string): void {
  say(`\n=== ${text}`)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
  log.write(`${text}\n`)
}

function expect(truth: boolean, sentence: string): void {
  if (!truth) throw new Error(`not true: ${sentence}`)
  say(`✓ ${sentence}`)
}

/** A subcommand at a terminal. */
function runCommand(...args: string[]): Promise<void> {
  say(`$ hcloud-talos ${args.join(' ')}`)
  const environment = { ...outside, HCLOUD_TALOS_AGE_IDENTITY: identity }
  return run(['cli.cjs', ...args, '--config', clusterFile], environment)
}

/** An action as the runner runs it: main, then post. */
async function runAction(
  name: string,
  event: Record<string, string>,
  inputs: Record<string, string>,
): Promise<void> {
  const summary = join(folder, 'summary.md')
  const commandFiles = { GITHUB_OUTPUT: 'output', GITHUB_STATE: 'state', GITHUB_ENV: 'env' }
  const environment: Record<string, string> = { ...outside, ...event, GITHUB_STEP_SUMMARY: summary }
  for (const [variable, file] of Object.entries(commandFiles)) {
    environment[variable] = join(folder, `.runner-${file}`)
    await writeFile(join(folder, `.runner-${file}`), '')
  }
  await writeFile(summary, '', { flag: 'a' })
  const all = {
    config: clusterFile,
    'hcloud-token': endpoints.hcloud.token,
    'github-token': endpoints.github.token,
    ...inputs,
  }
  for (const [input, value] of Object.entries(all))
    environment[`INPUT_${input.toUpperCase()}`] = value
  await run([`${name}.cjs`], environment)
  const state = await readFile(join(folder, '.runner-state'), 'utf8')
  await run([`${name}-post.cjs`], { ...environment, ...parseState(state) })
  for (const file of [...Object.values(commandFiles)]) await rm(join(folder, `.runner-${file}`))
}

/** What the runner makes of the state file for the post stage: `name<<delimiter`, value, delimiter. */
function parseState(text: string): Record<string, string> {
  const entries = [...text.matchAll(/^(.+?)<<(\S+)\n([\s\S]*?)\n\2$/gm)]
  return Object.fromEntries(entries.map(([, name, , value]) => [`STATE_${name}`, value ?? '']))
}

function runnerEvent(name: string, ref: string): Record<string, string> {
  const runId = String(Math.floor(Date.now() / 1000))
  return {
    GITHUB_ACTIONS: 'true',
    GITHUB_EVENT_NAME: name,
    GITHUB_EVENT_PATH: join(folder, '.event.json'),
    GITHUB_REPOSITORY: endpoints.github.repository,
    GITHUB_REF: ref,
    GITHUB_SHA: '0'.repeat(40),
    GITHUB_RUN_ID: runId,
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_JOB: name,
    GITHUB_ACTOR: 'you',
    GITHUB_API_URL: endpoints.github.api,
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_WORKSPACE: folder,
    RUNNER_TEMP: folder,
  }
}

async function pullRequest(): Promise<Record<string, string>> {
  const { repository } = endpoints.github
  await writeEvent({
    number: 1,
    pull_request: { number: 1, head: { repo: { full_name: repository } } },
    repository: { default_branch: 'main' },
  })
  return runnerEvent('pull_request', 'refs/pull/1/merge')
}

async function push(): Promise<Record<string, string>> {
  await writeEvent({ repository: { default_branch: 'main' } })
  return runnerEvent('push', 'refs/heads/main')
}

async function writeEvent(payload: object): Promise<void> {
  await writeFile(join(folder, '.event.json'), JSON.stringify(payload))
}

function run(args: readonly string[], env: Record<string, string>): Promise<void> {
  const [script = '', ...rest] = args
  const child = spawn(process.execPath, [join(root, 'dist', script), ...rest], { env, cwd: folder })
  for (const stream of [child.stdout, child.stderr]) {
    // As the runner does: what it is told to mask is for its ears only.
    createInterface({ input: stream }).on('line', (line) => {
      if (!line.startsWith('::add-mask::')) say(line)
    })
  }
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', (code) => {
      if (code === 0) done()
      else fail(new Error(`${args.join(' ')} ended with exit code ${code}`))
    })
  })
}
