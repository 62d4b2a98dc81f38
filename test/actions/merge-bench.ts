import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  dispatchEvent,
  mergeGroupEvent,
  pullRequestEvent,
  pushEvent,
} from '../../scripts/runner-event.ts'
import { reconcile } from '../../src/actions/reconcile.ts'
import { RunNote } from '../../src/actions/run-note.ts'
import type { Runner } from '../../src/github/runner.ts'
import { readRunnerEvent } from '../../src/github/runner-event.ts'
import { isClusterError } from '../../src/lib/cluster-error.ts'
import type { Json } from '../../src/lib/json.ts'
import type { HeldByRun } from '../../src/run/held-by-run.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import { makeDefaultBranch } from '../commands/default-branch.ts'
import { startBench } from '../commands/harness.ts'

/** How a step ended. */
export interface Ended {
  /** The code of its failure; empty where it went well. */
  readonly code: string
  readonly message: string
  readonly hint: string
  readonly summary: string
  /** What its progress said, and what its runner was warned of. */
  readonly log: string
  readonly outputs: Readonly<Record<string, string>>
}

interface Step {
  readonly inputs?: Readonly<Record<string, string>>
  readonly run?: number
  readonly attempt?: number
  /** Of a run that is cut off: nothing of it is undone afterwards. */
  readonly context?: RunContext
}

/** A repository on the sandbox's GitHub: people open and merge pull requests, and the action runs as in its workflow. */
export async function startMergeBench() {
  const bench = await startBench()
  const main = await makeDefaultBranch(bench)
  const { endpoints, github } = bench.sandbox
  const { folder } = bench.run().state
  const { repository } = endpoints.github
  let [runs, pulls, now] = [0, 0, Date.UTC(2026, 10, 28)]
  github.now = () => {
    now += 2_000
    return now
  }

  async function step(
    event: { name: string; ref: string; payload: Readonly<Record<string, unknown>> },
    sha: string,
    {
      text,
      inputs = {},
      run = ++runs,
      attempt = 1,
      context = bench.run(),
    }: Step & { readonly text: string },
  ): Promise<Ended> {
    await writeFile(join(folder, 'cluster.yaml'), text)
    const env = {
      GITHUB_EVENT_NAME: event.name,
      GITHUB_REF: event.ref,
      GITHUB_SHA: sha,
      GITHUB_REPOSITORY: repository,
    }
    const payload: Json = JSON.parse(JSON.stringify(event.payload))
    const given: Readonly<Record<string, string>> = {
      config: join(folder, 'cluster.yaml'),
      'github-token': endpoints.github.token,
      ...inputs,
    }
    const outputs: Record<string, string> = {}
    const saved = new Map<string, string>()
    let summary = ''
    let log = ''
    const listen = (line: string) => {
      log += `${line}\n`
    }
    const runner: Runner = {
      event: readRunnerEvent(env, payload),
      input: (name) => given[name] ?? '',
      setOutput: (name, value) => {
        outputs[name] = value
      },
      writeSummary: async (markdown) => {
        summary += markdown
      },
      annotate: () => undefined,
      info: () => undefined,
      warn: listen,
      fail: () => undefined,
      saveState: (name, value) => void saved.set(name, value),
      savedState: (name) => saved.get(name) ?? '',
    }
    const { remote, credentials } = context.state
    const source = { remote, credentials, ref: event.ref, defaultBranch: 'main' }
    const progress = { ...context.progress, info: listen, warn: listen }
    const named = { ...context.run, id: `gh-${run}-job`, attempt, commit: sha, source }
    const note = new RunNote({ runner, secrets: [context.hetznerToken], owner: named })
    const onHold = (held: HeldByRun) => note.add(held)
    const parts = { runner, note, context: { ...context, progress, onHold, run: named } }
    const environment = { GITHUB_API_URL: endpoints.github.api }
    const isPlan = event.name === 'pull_request' || event.name === 'merge_group'
    const state = isPlan ? { ...context.state, identity: undefined } : context.state
    const ended = { summary: '', outputs, code: '', message: '', hint: '' }
    try {
      await reconcile.main({ ...parts, environment, context: { ...parts.context, state } })
      return { ...ended, summary, log }
    } catch (error) {
      if (!isClusterError(error)) throw error
      const { code, message, hint = '' } = error
      return { ...ended, summary, log, code, message, hint }
    } finally {
      if (!context.signal.aborted) await reconcile.post?.({ ...parts, environment })
    }
  }

  return {
    bench,
    github,
    main,
    /** Opens a pull request that makes the file this text; its plan is shown. */
    async propose(text: string) {
      const number = ++pulls
      const head = String(number).padStart(40, 'a')
      const pull = github.openPull(number, head)
      const plan = await step(proposalEvent(repository, number, head), head, { text })
      return { pull, plan }
    },
    /** The job that plans a pull request, run again. */
    replan: ({ number, head }: { readonly number: number; readonly head: string }, text: string) =>
      step(proposalEvent(repository, number, head), head, { text }),
    /** The commit that main becomes. */
    commit: (text: string) => main.merge({ 'cluster.yaml': text, note: String(++runs) }),
    /** A merge queue makes a group of this, on top of what is merged or of another group, and asks for its checks. */
    async queue(number: number, text: string, onto?: string, base?: string) {
      const event = mergeGroupEvent(repository, { number, ...(base && { base }) })
      const pull = github.pulls.find((one) => one.number === number)
      if (pull) github.enqueuePull(pull)
      const sha = await main.branchOff(event.ref, { 'cluster.yaml': text }, onto)
      return { sha, plan: await step(event, sha, { text }) }
    },
    push: (sha: string, text: string, options: Step = {}) =>
      step(pushEvent(repository), sha, { text, ...options }),
    dispatch: (sha: string, text: string, options: Step = {}) =>
      step(dispatchEvent(repository), sha, { text, ...options }),
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  }
}

function proposalEvent(repository: string, number: number, head: string) {
  const event = pullRequestEvent(repository, { number })
  return { ...event, payload: { ...event.payload, pull_request: { number, head: { sha: head } } } }
}
