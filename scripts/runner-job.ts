import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parse } from 'yaml'
import type { SimulatedEvent } from './runner-event.ts'
import { parseCommandFile, parseWorkflowCommand, type WorkflowCommand } from './runner-files.ts'

/** What a simulated runner needs to know. */
export interface RunnerOptions {
  /** Where the actions are: a folder with action.yml files and dist/. */
  readonly actions: string
  /** The job's own folder: its temporary folder, command files and event go below it. */
  readonly folder: string
  /** The checked out repository: steps run in it. */
  readonly workspace: string
  /** Variables of the job besides those of the runner; nothing else is passed on. */
  readonly environment: Readonly<Record<string, string>>
  readonly event: SimulatedEvent
  readonly repository: string
  readonly runId: number
  readonly job: string
  /** What `${{ github.token }}` is. */
  readonly token: string
  readonly apiUrl: string
  readonly serverUrl: string
  readonly onLine?: (line: string) => void
  /** Gets the process of a stage as soon as it runs. */
  readonly onStart?: (child: ChildProcess) => void
}

/** How a stage of a step went. */
export interface StepResult {
  /** Null when it was killed. */
  readonly exitCode: number | null
  /** What ended it, when it did not end by itself. */
  readonly signal: NodeJS.Signals | null
  readonly outputs: Readonly<Record<string, string>>
  /** Everything that it printed but for what it asked to be masked. */
  readonly log: string
  readonly commands: readonly WorkflowCommand[]
  /** What it asked to be masked. */
  readonly masks: readonly string[]
  readonly summary: string
}

export interface RunningStep {
  readonly result: Promise<StepResult>
  /** As GitHub cancels: SIGINT, 7.5 seconds later SIGTERM, 2.5 seconds later the end. */
  cancel(): void
  /** As a machine that dies. */
  kill(): void
}

interface ActionFile {
  readonly inputs?: Readonly<Record<string, { readonly default?: string }>>
  readonly runs: { readonly main: string; readonly post?: string }
}

/**
 * One job of GitHub's runner, as an action sees it: inputs and their defaults, command files, masks,
 * and state that is carried from `main` to `post`. Posts run when the job finishes, the last step's
 * first, whatever became of the steps.
 */
export class RunnerJob {
  readonly #options: RunnerOptions
  readonly #posts: (() => Promise<StepResult>)[] = []
  readonly #temporary: string
  #stages = 0

  constructor(options: RunnerOptions) {
    this.#options = options
    this.#temporary = join(options.folder, 'temp')
  }

  /** What steps may write to and what goes with the job. */
  get temporaryFolder(): string {
    return this.#temporary
  }

  /** `action` as after `uses:`, `.` for the root. Resolves when the process runs. */
  async start(action: string, inputs: Readonly<Record<string, string>>): Promise<RunningStep> {
    const folder = resolve(this.#options.actions, action)
    const file: ActionFile = parse(await readFile(join(folder, 'action.yml'), 'utf8'))
    const given = Object.entries({ ...this.#defaults(file), ...inputs }).map(([name, value]) => [
      `INPUT_${name.toUpperCase().replaceAll(' ', '_')}`,
      value,
    ])
    const environment: Record<string, string> = Object.fromEntries(given)
    const state = await this.#commandFile('state')
    const { post } = file.runs
    if (post !== undefined) {
      this.#posts.push(async () => {
        const saved = Object.entries(parseCommandFile(await readFile(state, 'utf8')))
        const carried = Object.fromEntries(saved.map(([name, value]) => [`STATE_${name}`, value]))
        const stage = await this.#spawn(
          resolve(folder, post),
          { ...environment, ...carried },
          state,
        )
        return stage.result
      })
    }
    return this.#spawn(resolve(folder, file.runs.main), environment, state)
  }

  /** Runs a step to its end. */
  async step(action: string, inputs: Readonly<Record<string, string>>): Promise<StepResult> {
    return (await this.start(action, inputs)).result
  }

  /** Runs what the steps left for later; returns how each went. */
  async finish(): Promise<StepResult[]> {
    const results: StepResult[] = []
    for (const post of this.#posts.splice(0).reverse()) results.push(await post())
    return results
  }

  #defaults({ inputs = {} }: ActionFile): Record<string, string> {
    const values = Object.entries(inputs).map(([name, input]) => {
      const text = String(input.default ?? '')
      const known: Readonly<Record<string, string>> = {
        'github.token': this.#options.token,
        'job.check_run_id': String(this.#options.runId * 10),
        'strategy.job-index': '0',
        'strategy.job-total': '1',
        'toJSON(matrix)': 'null',
      }
      return [
        name,
        text.replaceAll(/\$\{\{ *([^ ]+) *\}\}/g, (_, expression) => known[expression] ?? ''),
      ]
    })
    return Object.fromEntries(values)
  }

  async #commandFile(name: string): Promise<string> {
    const path = join(this.#options.folder, 'commands', `${++this.#stages}-${name}`)
    await mkdir(join(this.#options.folder, 'commands'), { recursive: true })
    await writeFile(path, '')
    return path
  }

  async #spawn(
    script: string,
    environment: Readonly<Record<string, string>>,
    state: string,
  ): Promise<RunningStep> {
    const { workspace, onLine, onStart } = this.#options
    const [output, summary] = [
      await this.#commandFile('output'),
      await this.#commandFile('summary'),
    ]
    await mkdir(this.#temporary, { recursive: true })
    const env = {
      ...this.#options.environment,
      ...(await this.#runnerVariables()),
      ...environment,
      GITHUB_OUTPUT: output,
      GITHUB_STATE: state,
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_ENV: await this.#commandFile('env'),
      GITHUB_PATH: await this.#commandFile('path'),
    }
    const child = spawn(process.execPath, [script], { env, cwd: workspace })
    onStart?.(child)
    const result = collect(child, onLine).then(async (printed) => ({
      ...printed,
      outputs: parseCommandFile(await readFile(output, 'utf8')),
      summary: await readFile(summary, 'utf8'),
    }))
    return { result, cancel: () => cancel(child), kill: () => void child.kill('SIGKILL') }
  }

  async #runnerVariables(): Promise<Record<string, string>> {
    const { event, folder, workspace, repository, runId, job, apiUrl, serverUrl } = this.#options
    const payload = join(folder, 'event.json')
    await writeFile(payload, JSON.stringify(event.payload))
    return {
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_ACTOR: 'somebody',
      GITHUB_API_URL: apiUrl,
      GITHUB_EVENT_NAME: event.name,
      GITHUB_EVENT_PATH: payload,
      GITHUB_JOB: job,
      GITHUB_REF: event.ref,
      GITHUB_REPOSITORY: repository,
      GITHUB_RUN_ATTEMPT: '1',
      GITHUB_RUN_ID: String(runId),
      GITHUB_SERVER_URL: serverUrl,
      GITHUB_SHA: event.sha,
      GITHUB_WORKSPACE: workspace,
      RUNNER_TEMP: this.#temporary,
      RUNNER_TOOL_CACHE: join(folder, 'tools'),
    }
  }
}

type Printed = Omit<StepResult, 'outputs' | 'summary'>

function collect(child: ChildProcess, onLine: (line: string) => void = () => {}): Promise<Printed> {
  const lines: string[] = []
  const commands: WorkflowCommand[] = []
  const masks: string[] = []
  const read = (line: string) => {
    const command = parseWorkflowCommand(line)
    // As the runner does: what it is told to mask is for its ears only.
    if (command?.name === 'add-mask') return void masks.push(command.message)
    if (command) commands.push(command)
    lines.push(line)
    onLine(line)
  }
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', read)
  }
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', (exitCode, signal) =>
      done({ exitCode, signal, commands, masks, log: lines.join('\n') }),
    )
  })
}

/** GitHub's patience, in milliseconds. */
const patience = { untilTerm: 7_500, untilKill: 2_500 }

function cancel(child: ChildProcess): void {
  child.kill('SIGINT')
  let timer = setTimeout(() => {
    child.kill('SIGTERM')
    timer = setTimeout(() => child.kill('SIGKILL'), patience.untilKill)
  }, patience.untilTerm)
  child.once('close', () => clearTimeout(timer))
}
