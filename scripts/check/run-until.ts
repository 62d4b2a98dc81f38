import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'

/** How a program ended: by itself with a code (1 where a signal ended it), or ended by us for time. */
export type ProgramEnd = { readonly code: number } | 'ended for time'

/** What a program gets to put away what it started, in milliseconds. */
const graceMs = 20_000

/** What ends us, from a terminal or from CI. The program has a process group of its own and would not get them. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs a program with our terminal. Where it has not ended after `limitMs`, it and everything that it started in its
 * process group get SIGTERM, and SIGKILL 20 seconds later. A signal that ends us is passed on, and ends us when the
 * program has ended.
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
  let ending: NodeJS.Signals | undefined
  const passOn = (signal: NodeJS.Signals) => {
    ending = signal
    end(signal)
  }
  for (const signal of endings) process.on(signal, passOn)
  let isLate = false
  let lastResort: NodeJS.Timeout | undefined
  const endForTime = () => {
    isLate = true
    onLate?.()
    end('SIGTERM')
    lastResort = setTimeout(() => end('SIGKILL'), graceMs)
  }
  const timer = limitMs === undefined ? undefined : setTimeout(endForTime, limitMs)
  try {
    const [code] = await once(child, 'exit')
    // Its children may still run: nothing that a step started outlives it.
    if (isLate || ending !== undefined) end('SIGKILL')
    return isLate ? 'ended for time' : { code: code ?? 1 }
  } finally {
    clearTimeout(timer)
    clearTimeout(lastResort)
    for (const signal of endings) process.off(signal, passOn)
    if (ending !== undefined) process.kill(process.pid, ending)
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
