import { createRepositoryApi } from '../github/repository-api.ts'
import { readRunnerJob, runName } from '../github/run-name.ts'
import { connectRunner, failWithoutRunner, type Runner } from '../github/runner.ts'
import { runUrl } from '../github/runner-event.ts'
import { createClock, systemCalendar } from '../lib/clock.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import { endSoon } from '../lib/end-process.ts'
import { FindingsError } from '../lib/findings-error.ts'
import { originalFailure } from '../lib/original-failure.ts'
import { systemRandom } from '../lib/random.ts'
import { Redactor } from '../lib/redactor.ts'
import { toolVersion } from '../lib/tool-version.ts'
import { createRunContext } from '../run/create-run-context.ts'
import { openExchangeRecorder, recordVariable } from '../run/exchange-recorder.ts'
import { nameProcess } from '../run/process-name.ts'
import type { Environment } from './action.ts'
import { type ActionName, loadAction } from './action-table.ts'
import { clusterInputs } from './cluster-inputs.ts'
import { endProof } from './end-proof.ts'
import { guardProcessLog } from './guard-process-log.ts'
import { readInput } from './input.ts'
import { refuseOutside } from './refuse-outside.ts'
import { RunNote } from './run-note.ts'
import { createRunnerProgress } from './runner-progress.ts'

/**
 * The one boundary between GitHub's runner and everything else: reads what the runner gives, runs one
 * stage of one action, and reports how it ended. Nothing is thrown.
 */
export async function main(name: ActionName, stage: 'main' | 'post'): Promise<void> {
  const environment: Environment = process.env
  const redactor = new Redactor()
  const log = guardProcessLog(redactor)
  const failAlone = (error: unknown) => failWithoutRunner(error, redactor, log)
  // What nobody caught would be printed by Node itself, past the guard of the log.
  process.once('uncaughtException', (bug) => {
    failAlone(bug)
    process.exit()
  })
  const runner = await connectRunner(environment, redactor, log).catch(failAlone)
  if (!runner) return
  const interruption = interruptible()
  try {
    await run({ name, stage, environment, redactor, runner, signal: interruption.signal })
  } catch (error) {
    const failure = originalFailure(error)
    if (failure instanceof FindingsError) {
      for (const finding of failure.findings) runner.annotate(failure.file, finding)
    }
    runner.fail(error)
  } finally {
    interruption[Symbol.dispose]()
    endSoon([process.stdout, process.stderr], () => process.exit())
  }
}

async function run(parts: {
  readonly name: ActionName
  readonly stage: 'main' | 'post'
  readonly environment: Environment
  readonly redactor: Redactor
  readonly runner: Runner
  readonly signal: AbortSignal
}): Promise<void> {
  const { name, stage, environment, redactor, runner, signal } = parts
  const { event } = runner
  const read = (name: keyof typeof clusterInputs): string =>
    readInput(clusterInputs, name, runner) ?? ''
  for (const [name, { isSecret }] of Object.entries(clusterInputs)) {
    const secret = isSecret ? runner.input(name) : ''
    if (secret !== '') redactor.add(secret)
  }
  const token = read('github-token')
  const apiUrl = environment['GITHUB_API_URL'] || 'https://api.github.com'
  const elsewhere = environment['HCLOUD_TALOS_REMOTE']
  const { owner, repository } = event
  const remote = `${event.serverUrl}/${owner}/${repository}`
  const { id: jobId, ...job } = readRunnerJob(read('job'), environment, name)
  const id = runName(event, { id: jobId, ...job })
  const hetznerToken = read('hcloud-token')
  const identity = read('age-identity')
  const note = new RunNote({
    runner,
    secrets: [token, hetznerToken, identity],
    owner: { id, attempt: event.attempt },
  })
  const credentialsFor = (url: string) =>
    token === '' || !isOnServer(url, event.serverUrl)
      ? undefined
      : { username: 'x-access-token', password: token }
  const onLimit = (message: string) => runner.info(message)
  const onFailure = (message: string) => runner.warn(message)
  const recording = environment[recordVariable]
  const record = recording
    ? openExchangeRecorder(recording, { redactor, calendar: systemCalendar, onFailure })
    : undefined
  const place = { owner, repository, clock: createClock(), random: systemRandom, onLimit, record }
  await using context = await createRunContext({
    environment,
    folder: environment['GITHUB_WORKSPACE'] || process.cwd(),
    progress: createRunnerProgress(runner),
    redactor,
    signal,
    toolVersion,
    hetznerToken,
    identity,
    onHold: (held) => note.add(held),
    record,
    remote: elsewhere || remote,
    credentials: credentialsFor(elsewhere || remote),
    // Of the repository that this run is of; a state that is kept elsewhere has none that the token is for.
    api: token === '' || elsewhere ? undefined : createRepositoryApi({ token, apiUrl, ...place }),
    run: {
      id,
      job,
      attempt: event.attempt,
      url: runUrl(event),
      commit: event.sha,
      actor: event.actor,
      // Where the file is from, wherever the state is kept.
      source: {
        remote,
        credentials: credentialsFor(remote),
        ref: event.ref,
        defaultBranch: event.defaultBranch,
      },
      process: await nameProcess(process.pid, systemRandom),
      isRunOver: endProof(
        { run: id, attempt: event.attempt, job },
        { token, apiUrl, record, ...event },
      ),
    },
  })
  if (stage === 'main') {
    await refuseOutside(read('config'), environment['GITHUB_WORKSPACE'])
  }
  const action = await loadAction(name)
  const invocation = { runner, context, environment, note }
  await (stage === 'post' ? action.post?.(invocation) : action.main(invocation))
}

/** GitHub cancels with SIGINT and kills 7.5 seconds later: time enough to give back what is held. */
function interruptible(): { signal: AbortSignal } & Disposable {
  const controller = new AbortController()
  const onSignal = () =>
    controller.abort(
      new ClusterError('interrupted', 'the run was cancelled', {
        hint: 'Run it again: it continues where it stopped.',
      }),
    )
  process.once('SIGINT', onSignal)
  process.once('SIGTERM', onSignal)
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      process.off('SIGINT', onSignal)
      process.off('SIGTERM', onSignal)
    },
  }
}

/** The job's token is for the server that made it: no other host is shown it, whatever a setting names. */
function isOnServer(remote: string, serverUrl: string): boolean {
  return (
    URL.canParse(remote) &&
    URL.canParse(serverUrl) &&
    new URL(remote).origin === new URL(serverUrl).origin
  )
}
