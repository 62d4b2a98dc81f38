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
  const program = await buildGo(import.meta.dirname, modFiles[minor])
  const peer = spawn(program, ['judge'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const answers = createInterface({ input: peer.stdout })[Symbol.asyncIterator]()
  return {
    async judge(config) {
      peer.stdin.write(`${JSON.stringify(config)}\n`)
      const { value, done } = await answers.next()
      if (done) throw new Error('the judge has ended')
      return JSON.parse(value)
    },
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => peer.once('exit', resolve))
      peer.stdin.end()
      await ended
    },
  }
}
