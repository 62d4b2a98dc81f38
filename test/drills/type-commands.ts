import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { hangLimitMs } from '../hang-limit.ts'

export type Shell = 'dash' | 'bash'

/** Somebody at a terminal: where, in which shell, and what they answer. */
export interface Sitting {
  readonly shell: Shell
  readonly folder: string
  /** All of it: nothing of the test's own. */
  readonly environment: Readonly<Record<string, string>>
  /** Questions in the order in which they come, each with what is typed then. */
  readonly answers: readonly (readonly [question: string, answer: string])[]
}

export interface Typed {
  readonly code: number | null
  /** All that the terminal showed, without colours. */
  readonly shown: string
  readonly seconds: number
}

/**
 * Types commands as they are printed into a shell at a terminal, and answers what it is asked. The first that fails is
 * the last.
 */
export async function typeCommands(commands: string, sitting: Sitting): Promise<Typed> {
  const { shell, folder, environment, answers } = sitting
  const typed = join(environment['HOME'] ?? folder, 'typed.sh')
  await writeFile(typed, commands)
  const started = performance.now()
  // A terminal of its own, since questions are only asked at one.
  const child = spawn('script', ['-qefc', `${shell} -eu '${typed}'`, '/dev/null'], {
    cwd: folder,
    env: { ...environment, TERM: 'xterm', SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: hangLimitMs,
  })
  let shown = ''
  let from = 0
  const left = [...answers]
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown = stripVTControlCharacters(shown + text.replaceAll('\r', ''))
    const [next] = left
    const at = next ? shown.indexOf(next[0], from) : -1
    if (!next || at < 0) return
    from = at + next[0].length
    left.shift()
    child.stdin.write(`${next[1]}\n`)
  })
  const code = await new Promise<number | null>((done, fail) => {
    child.once('error', fail)
    child.once('close', done)
  })
  const seconds = (performance.now() - started) / 1_000
  if (left.length === 0) return { code, shown, seconds }
  throw new Error(`nobody asked "${left[0]?.[0]}":\n${shown}`)
}
