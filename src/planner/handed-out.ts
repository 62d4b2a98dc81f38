import { describeEnd, leadTimes } from '../lib/ending.ts'
import type { Finding } from '../lib/finding.ts'
import type { JournalEntry } from '../store/files/journal.ts'
import type { Generation } from '../store/generation.ts'

/** For how long after its end somebody is still told of it, in milliseconds. */
const reportedForMs = 7 * 86_400_000

/** What people are given, each by the name of the command that mints it. */
const handedOutKinds = {
  kubeconfig: { endsByRevocation: false },
  talosconfig: { endsByRevocation: true },
} as const

export type HandedOutKind = keyof typeof handedOutKinds

export interface HandedOutEnd {
  readonly message: string
  /** Mints another one that is good for as long. */
  readonly command: string
}

/** What was handed out and ends soon, or has just ended, and was neither replaced nor revoked since. Pure. */
export function handedOutEnds(
  { journal }: Pick<Generation, 'journal'>,
  now: number,
): HandedOutEnd[] {
  return standing(journal).flatMap((entry) => {
    const until = endOf(entry)
    if (!(until - now < leadTimes.handedOut && now - until < reportedForMs)) return []
    const { at, run, detail: { what } = {} } = entry
    const name = what === undefined ? 'what' : `the ${what} that`
    return [
      {
        message: `${name} was handed out on ${at.slice(0, 10)} (run ${run}) ${describeEnd(until, now)}`,
        command: commandFor(entry),
      },
    ]
  })
}

/**
 * The newest of each person and kind: whoever minted another one has replaced the former. A revocation ends those of
 * some kinds, whatever they say of themselves.
 */
function standing(journal: readonly JournalEntry[]): JournalEntry[] {
  const revoked = journal.findLastIndex(({ fact }) => fact === 'revocation-finished')
  const minted = journal.filter(
    ({ fact, detail }, at) =>
      fact === 'access-minted' && !(at < revoked && isEndedByRevocation(detail?.['what'])),
  )
  return [...new Map(minted.map((entry) => [keyOf(entry), entry])).values()]
}

function isEndedByRevocation(what: string | undefined): boolean {
  return Object.entries(handedOutKinds).some(
    ([kind, { endsByRevocation }]) => kind === what && endsByRevocation,
  )
}

/** What was noted before kinds were is not known to be the same as anything. */
function keyOf({ at, detail: { what, actor, role } = {} }: JournalEntry): string {
  return JSON.stringify(what === undefined ? at : [what, actor, role])
}

function endOf({ detail }: JournalEntry): number {
  return Date.parse(detail?.['until'] ?? '')
}

function commandFor({ detail: { what = 'kubeconfig', hours, role } = {} }: JournalEntry): string {
  const options = [...(hours ? [`--hours ${hours}`] : []), ...(role ? [`--role ${role}`] : [])]
  return [`hcloud-talos ${what}`, ...options].join(' ')
}

/** The same for a plan. */
export function reportHandedOut(generation: Generation | undefined, now: number): Finding[] {
  if (!generation) return []
  return handedOutEnds(generation, now).map(({ message, command }) => ({
    severity: 'warning',
    path: [],
    message,
    hint: `Mint another one with \`${command}\`.`,
  }))
}
