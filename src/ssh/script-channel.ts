import type { ClientChannel } from 'ssh2'
import { readyLine, stopByte, sudoPrompt } from './script-receiver.ts'

/** Takes a stream piece by piece. */
export interface OutputSink {
  add(chunk: Uint8Array): void
  /** Where it is there, no more comes after a piece before this resolves: the host waits for it. It never rejects. */
  taken?(): Promise<void>
}

/** How a script ended, as far as that arrived. */
export interface ScriptEnd {
  /** Whether any of it was sent: otherwise nothing of it ran. */
  readonly isSent: boolean
  /** Whether sudo asked for the password a second time. */
  readonly isWrongPassword: boolean
  /** Both undefined where the connection broke. */
  readonly code: number | undefined
  readonly killedBy: string | undefined
}

export interface ScriptExchange {
  readonly frame: Buffer
  readonly stdout: OutputSink
  readonly stderr: OutputSink
  readonly signal: AbortSignal
  /** Answers sudo. */
  readonly password?: string | undefined
}

/** How long a script that is ended may take to end, in milliseconds of the wall's time. */
const stopWithinMs = 1_000

/** More than that comes from no login shell before it is ready. */
const mostBeforeReady = 64 * 1024

/** Sends a script to the receiver and waits for its end. An abort ends the script and throws the signal's reason. */
export async function sendScript(
  channel: ClientChannel,
  { frame, stdout, stderr, signal, password }: ScriptExchange,
): Promise<ScriptEnd> {
  let isSent = false
  let before: Uint8Array = new Uint8Array()
  const give = (chunk: Uint8Array) => {
    stdout.add(chunk)
    if (stdout.taken === undefined) return
    channel.pause()
    void stdout.taken().then(() => channel.resume())
  }
  const onOutput = (chunk: Buffer) => {
    if (isSent) return give(chunk)
    const all = Buffer.concat([before, chunk]).subarray(-mostBeforeReady)
    const at = all.indexOf(`${readyLine}\n`)
    before = all
    if (at < 0) return
    isSent = true
    channel.write(frame)
    const first = all.subarray(at + readyLine.length + 1)
    if (first.length > 0) give(first)
  }
  let prompts = 0
  let heard = ''
  const onError = (chunk: Buffer) => {
    if (isSent || password === undefined) {
      stderr.add(chunk)
      return
    }
    heard = (heard + chunk.toString('utf8')).slice(-mostBeforeReady)
    if (!heard.includes(sudoPrompt)) return
    heard = heard.replace(sudoPrompt, '')
    prompts++
    if (prompts === 1) channel.write(`${password}\n`)
    else channel.close()
  }
  const { promise: closed, resolve, reject } = Promise.withResolvers<ScriptEnd>()
  let code: number | undefined
  let killedBy: string | undefined
  let patience: NodeJS.Timeout | undefined
  const stop = () => {
    if (isSent) channel.write(stopByte)
    channel.end()
    patience = setTimeout(() => {
      channel.close()
      reject(signal.reason)
    }, stopWithinMs)
  }
  channel.on('data', onOutput)
  channel.stderr.on('data', onError)
  channel.on('exit', (exitCode: number | null, name?: string) => {
    code = exitCode ?? undefined
    killedBy = name
  })
  channel.on('error', reject)
  channel.on('close', () => {
    // What sudo printed instead of letting the script run shows why.
    if (!isSent) stderr.add(Buffer.from(heard))
    resolve({ isSent, isWrongPassword: prompts > 1, code, killedBy })
  })
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  try {
    const end = await closed
    signal.throwIfAborted()
    return end
  } finally {
    clearTimeout(patience)
    signal.removeEventListener('abort', stop)
  }
}
