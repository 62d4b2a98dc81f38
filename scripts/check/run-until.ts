import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'

/** How a program ended: by itself with a code (1 where a signal ended it), or ended by us for time. */
export type ProgramEnd = { readonly code: number } | 'ended for time'

/** What a program gets to put away what it started, in milliseconds. */
const farewellMs = 20_000

/**
 * Runs a program with our terminal. Where it has not ended after `limitMs`, it and everything that it started in its
 * process group get SIGTERM, and SIGKILL 20 seconds later. What ends us ends them.
 *
 * @param limitMs none where there is no limit
 * @param options `onLate` is called when the limit has passed, before anything gets a signal
 */
export async function runUntil(
  [program = '', ...args]: readonly string[],
  limitMs: number | undefined,
  { onLate, ...options }: Pick<SpawnOptions, 'cwd' | 'env'> & { readonly onLate?: () => void },
): Promise<ProgramEnd> {
  const child = spawn(program, args, { ...options, stdio: 'inherit', detached: true })
  const end = (signal: NodeJS.Signals) => endGroup(child.pid, signal)
  const interrupt = () => end('SIGINT')
  const terminate = () => end('SIGTERM')
  process.on('SIGINT', interrupt).on('SIGTERM', terminate)
  let isLate = false
  let lastResort: NodeJS.Timeout | undefined
  const timer =
    limitMs === undefined
      ? undefined
      : setTimeout(() => {
          isLate = true
          onLate?.()
          terminate()
          lastResort = setTimeout(() => end('SIGKILL'), farewellMs)
        }, limitMs)
  try {
    const [code] = await once(child, 'exit')
    // Its children may still run: nothing that a step started outlives it.
    if (isLate) end('SIGKILL')
    return isLate ? 'ended for time' : { code: code ?? 1 }
  } finally {
    clearTimeout(timer)
    clearTimeout(lastResort)
    process.off('SIGINT', interrupt).off('SIGTERM', terminate)
  }
}

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // The group has ended.
  }
}
