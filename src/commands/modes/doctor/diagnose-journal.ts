import { pendingRestore } from '../../../planner/pending-restore.ts'
import { type Diagnosis, passed, problem } from '../../../run/diagnosis.ts'
import type { RevocationWords } from '../../../run/mode/cluster-keys.ts'
import { type FactName, type JournalEntry, lastFact } from '../../../store/files/journal.ts'
import type { Generation } from '../../../store/generation.ts'

/** Something that is written down before it is started, and again when it is done. */
interface Procedure {
  readonly begins: readonly FactName[]
  readonly ends: readonly FactName[]
  readonly what: string
  readonly command: string
}

const procedures = ({ replaced }: RevocationWords): readonly Procedure[] => [
  {
    begins: ['destroy-started'],
    ends: [],
    what: 'the destruction of the cluster',
    command: 'hcloud-talos destroy',
  },
  {
    begins: ['etcd-bootstrap-started'],
    ends: ['etcd-bootstrapped', 'etcd-recovered', 'state-recovered'],
    what: 'the bootstrap of etcd',
    command: 'hcloud-talos apply',
  },
  ...(replaced === undefined
    ? []
    : [
        {
          begins: ['authority-accepted', 'authority-issuing'] as const,
          ends: ['authority-dropped'] as const,
          what: `the replacement of the ${replaced}`,
          command: 'hcloud-talos revoke',
        },
      ]),
]

/** What was started and did not come to its end, as the journal and the inventory have it. Pure. */
export function diagnoseJournal(
  { journal, inventory }: Generation,
  words: RevocationWords,
): Diagnosis[] {
  const pending = pendingRestore(journal)
  const found = [
    ...(pending ? [problem('journal', 'bad', pending.message, pending.command)] : []),
    ...procedures(words).flatMap((one) => openProcedure(journal, one)),
    ...openUpgrades(
      journal,
      inventory.nodes.map(({ name }) => name),
    ),
    ...openDepartures({ journal, inventory }),
    ...openReplacements({ inventory }),
  ]
  return found.length === 0 ? [passed('journal', 'all that was started has ended')] : found
}

function openProcedure(
  journal: readonly JournalEntry[],
  { begins, ends, what, command }: Procedure,
): Diagnosis[] {
  const begun = journal.findLastIndex(({ fact }) => begins.includes(fact))
  const entry = journal[begun]
  if (!entry || begun < journal.findLastIndex(({ fact }) => ends.includes(fact))) return []
  return [problem('journal', 'bad', `${what} was started ${when(entry)} and did not end`, command)]
}

function openUpgrades(journal: readonly JournalEntry[], names: readonly string[]): Diagnosis[] {
  return names.flatMap((name) => {
    const begun = lastFact(journal, 'upgrade-started', name)
    const ended = lastFact(journal, 'upgrade-finished', name)
    const isOpen = begun && (!ended || journal.lastIndexOf(ended) < journal.lastIndexOf(begun))
    if (!isOpen) return []
    const message = `the upgrade of ${name} was started ${when(begun)} and did not end`
    return [problem('journal', 'bad', message, 'hcloud-talos upgrade')]
  })
}

function openDepartures({ journal, inventory }: Pick<Generation, 'journal' | 'inventory'>) {
  return inventory.nodes
    .filter(
      ({ leavingServerId, serverId }) =>
        leavingServerId !== undefined && leavingServerId === serverId,
    )
    .map(({ name }) => {
      const begun =
        lastFact(journal, 'node-removal-started', name) ?? lastFact(journal, 'member-removed', name)
      const since = begun ? ` ${when(begun)}` : ''
      const message = `the removal of ${name} was started${since} and did not end`
      return problem('journal', 'bad', message, 'hcloud-talos apply')
    })
}

function openReplacements({ inventory }: Pick<Generation, 'inventory'>): Diagnosis[] {
  return Object.entries(inventory.resources ?? {})
    .filter(([, { isReplaced }]) => isReplaced)
    .map(([key]) =>
      problem(
        'journal',
        'bad',
        `the replacement of ${key} was started and did not end`,
        'hcloud-talos apply',
      ),
    )
}

function when({ at, run }: JournalEntry): string {
  return `at ${at} (run ${run})`
}
