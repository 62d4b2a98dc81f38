import { ClusterError } from '../lib/cluster-error.ts'

/** A control plane that has data of etcd, as every mode finds it. */
export interface EtcdSource {
  readonly name: string
  /**
   * `quorum`: a member that sees a leader; `alone`: one that sees none, and answers all the same; `file`: its etcd does not
   * answer (one that was restarted without a quorum never does), and the database is read from the disk.
   */
  readonly kind: 'quorum' | 'alone' | 'file'
  /** How far it has come, in the order of what is newest: the raft index, or for a file the seconds since 1970. */
  readonly progress: bigint
  readonly leads: boolean
  /** What it says is wrong with it. */
  readonly errors: readonly string[]
}

/** A control plane of which nothing can be read. */
export interface NoEtcdSource {
  readonly reason: string
  /** Whether it is known to hold nothing. */
  readonly isEmpty: boolean
}

export interface ChosenSource<Source extends EtcdSource> {
  readonly source: Source
  /** What the others say that have nothing to read: without a quorum one of them may hold newer data. */
  readonly silent: readonly string[]
}

/**
 * The control plane whose etcd a snapshot is best taken of: a member that sees a leader and reports no errors; of those the
 * one that is furthest ahead, and rather not the leader, which has work enough. Where none sees a leader, the survivor that
 * is furthest ahead: a snapshot needs no quorum. Throws `etcd-unhealthy` where there is nothing to read. Pure.
 */
export function chooseEtcdSource<Source extends EtcdSource>(
  answers: readonly (Source | NoEtcdSource)[],
  unreached: readonly string[] = [],
): ChosenSource<Source> {
  const found = answers.filter((answer) => 'kind' in answer)
  const silent = [
    ...unreached,
    ...answers.flatMap((answer) => ('reason' in answer ? [answer.reason] : [])),
    ...found.flatMap((source) => {
      const corruption = corruptionOf(source)
      return corruption === undefined ? [] : [`${source.name}: ${corruption}`]
    }),
  ]
  const fit = found.filter((source) => corruptionOf(source) === undefined)
  const [source] = fit.toSorted(compare)
  if (source) return { source, silent }
  throw new ClusterError(
    'etcd-unhealthy',
    `no control plane has an etcd that a snapshot could be taken of: ${silent.join('; ') || 'there is none'}`,
    {
      operation: 'take a snapshot',
      hint: 'Start the control planes that are off, and take the snapshot of what they hold; where all their data is lost, restore an earlier snapshot with `hcloud-talos restore`.',
    },
  )
}

const rank = { quorum: 0, alone: 1, file: 2 } as const

function compare(a: EtcdSource, b: EtcdSource): number {
  return (
    rank[a.kind] - rank[b.kind] ||
    Number(isDoubtful(a)) - Number(isDoubtful(b)) ||
    Number(b.progress - a.progress) ||
    Number(a.leads) - Number(b.leads)
  )
}

/** What is full, or lost its leader, can be read like one without errors. */
function isDoubtful({ errors }: EtcdSource): boolean {
  return errors.some((error) => !/no leader|nospace/i.test(error))
}

/** Why no etcd should begin with this data. */
function corruptionOf({ errors }: EtcdSource): string | undefined {
  return errors.find((error) => /corrupt/i.test(error))
}

/** What a snapshot is that was taken without a quorum, and what may be missing in it. */
export function describeSurvivor({ source, silent }: ChosenSource<EtcdSource>): string {
  const { name, kind } = source
  return [
    `etcd has lost its quorum: this snapshot is of ${name}, the survivor with the newest data`,
    ...(kind === 'file'
      ? [`its etcd does not answer, so it is the database as it lies on the disk of ${name}`]
      : []),
    ...(silent.length > 0
      ? [`others could not be read, and may hold newer data: ${silent.join('; ')}`]
      : []),
  ].join('; ')
}
