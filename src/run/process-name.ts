import { createHash } from 'node:crypto'
import { type Random, randomHex } from '../lib/random.ts'
import { isFree, processPlace } from './process-place.ts'

/**
 * Names a process so that no other has its name. Where the system can tell processes of this machine from others
 * (Linux), the name says which one it is, so that another one here can prove that it was killed.
 */
export async function nameProcess(pid: number, random: Random): Promise<string> {
  const nonce = randomHex(random, 4)
  const here = await placeOfProcesses()
  return here === undefined ? nonce : `${here}-${pid}-${nonce}`
}

/** True when the process is gone. One that is there proves nothing: its number may be another's by now. */
export async function isNamedProcessOver(name: string | undefined): Promise<true | undefined> {
  const [, place, pid] = /^([0-9a-f]{8})-(\d{1,10})-[0-9a-f]+$/.exec(name ?? '') ?? []
  if (place === undefined || place !== (await placeOfProcesses())) return undefined
  return isFree(Number(pid)) ? true : undefined
}

/** Stands for one boot of one machine, and for one space of process ids on it. */
async function placeOfProcesses(): Promise<string | undefined> {
  const place = await processPlace()
  if (!place) return undefined
  const text = [place.machine, place.boot, place.space].join('\n')
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
