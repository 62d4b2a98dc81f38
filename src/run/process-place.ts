import { createHash } from 'node:crypto'
import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'

/** Where a process is: which machine, which boot of it, and which space of process ids. Eight hex digits each. */
export interface ProcessPlace {
  readonly machine: string
  readonly boot: string
  readonly space: string
}

/** The place of this process; undefined where the system does not tell (it is Linux that does). */
export async function processPlace(): Promise<ProcessPlace | undefined> {
  try {
    const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
    const space = await readlink('/proc/self/ns/pid')
    const id = await readFile('/etc/machine-id', 'utf8').catch(() => '')
    // Machines that are copies have one id, containers of one image as well: the name tells them apart.
    const machine = `${hostname()}\n${id.trim()}`
    return { machine: short(machine), boot: short(boot), space: short(`${hostname()}\n${space}`) }
  } catch {
    return undefined
  }
}

/**
 * True when a process is proven to have ended: its machine was booted again since, or its number is free in this
 * very space. A number that is taken proves nothing, as it may be another's by now; nor does another machine.
 */
export function isProcessOver(
  { place, pid }: { readonly place: ProcessPlace; readonly pid: number },
  here: ProcessPlace | undefined,
): boolean {
  if (here === undefined || place.machine !== here.machine) return false
  if (place.boot !== here.boot) return true
  return place.space === here.space && isFree(pid)
}

/** Whether no process of this space has a number. */
export function isFree(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}

function short(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
