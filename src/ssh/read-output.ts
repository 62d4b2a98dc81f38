import { failedScript } from './failed-script.ts'
import { runInto, type Script } from './run-script.ts'
import type { RemoteHost } from './ssh-pool.ts'

/**
 * What a script prints, byte by byte, as it is taken: the host waits for whoever reads, so that memory does not grow with
 * it. Whoever stops reading ends the script. Throws `script-failed`
 * where it ends with an error, and what running it throws.
 */
export async function* readOutput(
  remote: RemoteHost,
  script: Omit<Script, 'isRepeatable' | 'signal'>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const output = new PassedOutput()
  const left = new AbortController()
  // It is not repeatable: what was passed on cannot be taken back.
  const run = runInto(remote, { ...script, signal: left.signal }, () => output).then(
    ({ code, stderr }) => {
      const { title } = script
      if (code !== 0) throw failedScript(remote, { title, code, stderr: stderr.text() })
    },
  )
  run.then(
    () => output.end(),
    () => output.end(),
  )
  try {
    for (;;) {
      const chunk = await output.next()
      if (chunk === undefined) break
      yield chunk
    }
    await run
  } finally {
    left.abort(new Error('nobody reads what the script prints any more'))
    output.drop()
    await run.catch(() => undefined)
  }
}

/** Chunks between who prints them and who takes them, one after the other. */
class PassedOutput {
  #chunks: Uint8Array[] = []
  #wake: () => void = () => undefined
  #resume: () => void = () => undefined
  #isOver = false

  add(bytes: Uint8Array): void {
    if (this.#isOver) return
    this.#chunks.push(bytes)
    this.#wake()
  }

  /** Resolves when all that has come was taken. */
  async taken(): Promise<void> {
    while (this.#chunks.length > 0) {
      await new Promise<void>((resolve) => {
        this.#resume = resolve
      })
    }
  }

  /** No more comes; what has come can still be taken. */
  end(): void {
    this.#isOver = true
    this.#wake()
  }

  /** Nobody takes any of it any more. */
  drop(): void {
    this.#isOver = true
    this.#chunks = []
    this.#resume()
  }

  /** Undefined at the end. */
  async next(): Promise<Uint8Array | undefined> {
    while (this.#chunks.length === 0 && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    const chunk = this.#chunks.shift()
    this.#resume()
    return chunk
  }
}
