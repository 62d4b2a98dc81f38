import { spawn } from 'node:child_process'

export interface RunProgramOptions {
  /** Given on its standard input. */
  readonly input?: string
  /** After this many milliseconds it is killed, and has failed; 30 s where absent. */
  readonly timeoutMs?: number
}

/** Output of one stream that is kept: enough for any answer that is read here. */
const keptBytes = 1024 * 1024

/**
 * Runs a program of the machine to its end and returns what it printed. Throws with its own words where
 * it does not end well: the rig's programs are its own, so such a failure is the rig's.
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  { input, timeoutMs = 30_000 }: RunProgramOptions = {},
): Promise<string> {
  const child = spawn(program, args, { stdio: 'pipe', timeout: timeoutMs, killSignal: 'SIGKILL' })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (output.length < keptBytes) output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (errors.length < keptBytes) errors += text
  })
  // A program that does not read its input closes it early; its exit code tells how it ended.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const ended = await new Promise<number | NodeJS.Signals>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'SIGKILL'))
  })
  if (ended === 0) return output
  const reason = errors.trim() || output.trim() || 'it said nothing'
  throw new Error(`${program} ${args.join(' ')} ended with ${ended}: ${reason}`)
}
