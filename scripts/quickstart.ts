/**
 * The main job on the embedded sandbox, as a user's repository would run it: the plan of a pull request,
 * the apply of a push, a second apply that finds nothing to do, a destroy that leaves nothing behind. The
 * product runs from the committed bundle in processes of its own; only its endpoints are the sandbox's.
 * What there is to look at afterwards stays in quickstart/.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { generateX25519Identity } from 'age-encryption'
import { serveGithubGit } from '../src/sandbox/git/serve-github-git.ts'
import { sandboxEnvironment } from '../src/sandbox/sandbox-environment.ts'
import { startSandbox } from '../src/sandbox/start-sandbox.ts'
import { checkOut } from './checkout.ts'
import { extractHelm } from './extract-helm.ts'
import { pullRequestEvent, pushEvent, type SimulatedEvent } from './runner-event.ts'
import { RunnerJob } from './runner-job.ts'

const root = resolve(import.meta.dirname, '..')
const folder = join(root, 'quickstart')
const clusterFile = join(folder, 'cluster.yaml')
const started = Date.now()

await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const log = createWriteStream(join(folder, 'log.txt'))
const path = process.env['PATH'] ?? ''

title('Start the sandbox: Hetzner, Talos, Kubernetes, charts, GitHub and git on loopback')
const sandbox = await startSandbox({ folder, path, latencies: 'none' })
const { world, endpoints } = sandbox
const git = await serveGithubGit(endpoints, { folder, path })
world.onClose(git.close)
const example = await readFile(join(root, 'examples', 'minimal.yaml'), 'utf8')
const checkout = await checkOut(endpoints.git.folder, folder)
const identity = await generateX25519Identity()
await writeFile(join(folder, 'age-identity.txt'), `${identity}\n`, { mode: 0o600 })

/** What the product finds in its environment: the sandbox instead of the outside, and nothing of ours. */
const outside = {
  ...sandboxEnvironment(endpoints),
  PATH: path,
  HOME: folder,
  HCLOUD_TALOS_HELM: await extractHelm(),
}

try {
  title('A pull request: the plan as a comment')
  await checkout.merge('README.md', 'Clusters\n')
  await writeFile(clusterFile, example)
  const { repository } = endpoints.github
  await runAction(pullRequestEvent(repository), { 'hcloud-token': endpoints.hcloud.readOnlyToken })
  const [comment] = sandbox.github.comments
  expect(comment !== undefined, 'the pull request has a comment')
  await writeFile(join(folder, 'plan-comment.md'), comment?.body ?? '')
  print(comment?.body ?? '')

  title('The merge: apply')
  const merged = await checkout.merge('cluster.yaml', example)
  await runAction(
    { ...pushEvent(repository), sha: merged },
    {
      'hcloud-token': endpoints.hcloud.token,
      'age-identity': identity,
    },
  )

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
print(`  git/clusters.git  the bare repository: git -C quickstart/git/clusters.git log --stat hcloud-talos
  plan-comment.md   the plan as the pull request shows it
  summary.md        the job summaries
  log.txt           everything that was printed`)
log.end()

function title(text: string): void {
  print(`\n=== ${text}`)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
  log.write(`${text}\n`)
}

function expect(truth: boolean, sentence: string): void {
  if (!truth) throw new Error(`not true: ${sentence}`)
  print(`✓ ${sentence}`)
}

/** A subcommand at a terminal. */
async function runCommand(...args: string[]): Promise<void> {
  print(`$ hcloud-talos ${args.join(' ')}`)
  const env = { ...outside, HCLOUD_TALOS_AGE_IDENTITY: identity }
  const command = [join(root, 'dist', 'cli.cjs'), ...args, '--config', clusterFile]
  const child = spawn(process.execPath, command, { env, cwd: folder })
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', print)
  }
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`hcloud-talos ${args.join(' ')} ended with exit code ${code}`)
}

/** The pipeline in one step, as the runner runs it: main, then post. */
async function runAction(event: SimulatedEvent, inputs: Record<string, string>): Promise<void> {
  const job = new RunnerJob({
    actions: root,
    folder: join(folder, '.runner'),
    workspace: folder,
    environment: outside,
    event,
    repository: endpoints.github.repository,
    runId: Math.floor(Date.now() / 1000),
    job: event.name,
    token: endpoints.github.token,
    apiUrl: endpoints.github.api,
    serverUrl: git.url,
    onLine: print,
  })
  const step = await job.step('.', { config: clusterFile, ...inputs })
  await appendFile(join(folder, 'summary.md'), step.summary)
  const failed = [step, ...(await job.finish())].find(({ exitCode }) => exitCode !== 0)
  if (failed) throw new Error(`the step on ${event.name} ended with exit code ${failed.exitCode}`)
  await rm(join(folder, '.runner'), { recursive: true, force: true })
}
