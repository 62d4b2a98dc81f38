import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { buildGo } from '../build-go.ts'
import { modFiles } from './mod-files.ts'

export interface Verdict {
  readonly error?: string
  readonly warnings?: readonly string[]
}

/** The machinery of one minor of Talos in a process of its own. */
export interface TalosJudge extends AsyncDisposable {
  /** What a node in a cloud says to a config (YAML) when it is applied. */
  judge(config: string): Promise<Verdict>
}

/** Starts the judge, building it first when this machine has none yet. One question at a time. */
export async function startTalosJudge(minor: keyof typeof modFiles): Promise<TalosJudge> {
  const peer = await startPeer<string, Verdict>(minor, 'judge')
  return { judge: peer.ask, [Symbol.asyncDispose]: peer[Symbol.asyncDispose] }
}

export interface Patched {
  readonly error?: string
  readonly text?: string
}

/** The same machinery with a patch for a config, both YAML. */
export interface TalosPatcher extends AsyncDisposable {
  patch(config: string, patch: string): Promise<Patched>
}

export async function startTalosPatcher(minor: keyof typeof modFiles): Promise<TalosPatcher> {
  const peer = await startPeer<{ config: string; patch: string }, Patched>(minor, 'patch')
  return {
    patch: (config, patch) => peer.ask({ config, patch }),
    [Symbol.asyncDispose]: peer[Symbol.asyncDispose],
  }
}

interface Peer<Question, Answer> extends AsyncDisposable {
  ask(question: Question): Promise<Answer>
}

async function startPeer<Question, Answer>(
  minor: keyof typeof modFiles,
  does: 'judge' | 'patch',
): Promise<Peer<Question, Answer>> {
  const program = await buildGo(import.meta.dirname, modFiles[minor])
  const peer = spawn(program, [does], { stdio: ['pipe', 'pipe', 'inherit'] })
  const answers = createInterface({ input: peer.stdout })[Symbol.asyncIterator]()
  return {
    async ask(question) {
      peer.stdin.write(`${JSON.stringify(question)}\n`)
      const { value, done } = await answers.next()
      if (done) throw new Error('the machinery of Talos has ended')
      return JSON.parse(value)
    },
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => peer.once('exit', resolve))
      peer.stdin.end()
      await ended
    },
  }
}
