import { dateOf, leadTimes } from '../../lib/ending.ts'
import type { Change } from '../../plan/change.ts'
import { type ClusterRecord, recordKey } from '../../plan/record.ts'
import type { FactName } from '../../store/files/journal.ts'
import type { Generation } from '../../store/generation.ts'
import type { AuthorityEnd } from '../../talos/config/authority-ends.ts'
import { takeUpOf } from '../../talos/config/change-effect.ts'
import type { ConfigDifference } from '../../talos/config/diff-configs.ts'
import { changeNodes } from '../../talos/config-changes.ts'
import { clusterEnds, nodeEnds } from './cluster-ends.ts'
import type { ClusterView } from './cluster-view.ts'
import { configuredNodes } from './cluster-view.ts'

/** The field of the secrets that a renewal changes. */
export const renewedField = 'certificate authorities'

interface Records {
  readonly desired: readonly ClusterRecord[]
  readonly live: readonly ClusterRecord[]
}

/**
 * The changes with those that renew the authorities of a cluster before they end: their certificates are issued once
 * more over the same keys, and every node gets them. Talos renews no authority by itself. By the configs that nodes
 * were last given, so that a plan without keys shows it. While the CA of the Talos API is being replaced, that comes
 * first. Pure.
 */
export function renewAuthorities(
  view: ClusterView,
  changes: readonly Change[],
  records: Records,
  now: number,
): Change[] {
  const { generation } = view
  if (!generation || isReplacing(generation)) return [...changes]
  const due = new Map(
    configuredNodes(view).flatMap(({ name }) => {
      const fields = nodeEnds(generation, name).filter((end) => isDue(end, now))
      return fields.length > 0 ? [[name, fields.map(toDifference)] as const] : []
    }),
  )
  const nodes = changeNodes(changes, due, records, () => 'its certificate authorities are renewed')
  const until = dueUntil(generation, now)
  return until === undefined ? nodes : withRenewal(nodes, renewal(records, until))
}

/** When the secrets of the cluster end, where that is so soon that they are to be renewed. */
export function dueUntil(generation: Generation, now: number): number | undefined {
  const until = secretsUntil(generation)
  return until !== undefined && until - now < leadTimes.authority ? until : undefined
}

/**
 * When the first of the authorities in the secrets of the cluster ends: as the journal has it, or as the nodes do where
 * an earlier version minted the secrets. Undefined where neither says so.
 */
function secretsUntil(generation: Generation): number | undefined {
  const noted = generation.journal.findLast(
    ({ fact, detail }) => untilFacts.includes(fact) && detail?.['until'] !== undefined,
  )?.detail?.['until']
  if (noted !== undefined) return Date.parse(noted)
  const ends = clusterEnds(generation).map(({ notAfter }) => notAfter)
  return ends.length > 0 ? Math.min(...ends) : undefined
}

const untilFacts: readonly FactName[] = ['secrets-minted', 'authorities-renewed']

function isReplacing({ journal }: Generation): boolean {
  const begun = journal.findLastIndex(({ fact }) => fact === 'authority-accepted')
  return begun >= 0 && begun > journal.findLastIndex(({ fact }) => fact === 'authority-dropped')
}

function isDue({ notAfter }: AuthorityEnd, now: number): boolean {
  return notAfter - now < leadTimes.authority
}

function renewal({ desired, live }: Records, until: number): Change[] {
  const after = desired.find(({ kind }) => kind === 'secrets')
  const before = live.find(({ kind }) => kind === 'secrets')
  if (!after || !before) return []
  const fields = [{ path: renewedField, ...renewed(until) }]
  const reason = 'they end, and are issued once more over the same keys'
  const subject = { key: recordKey(after), before, after, fields, reason }
  return [{ ...subject, action: 'update', risk: 'live', needs: [] }]
}

/** Together with what else changes about the secrets: there is one change of each record. */
function withRenewal(changes: readonly Change[], renewals: readonly Change[]): Change[] {
  const [renewal] = renewals
  const own = changes.find(({ key }) => key === renewal?.key)
  if (!renewal || !own) return [...renewals, ...changes]
  const both = {
    ...own,
    fields: [...own.fields, ...renewal.fields],
    reason: `${own.reason}; ${renewal.reason}`,
  }
  return changes.map((change) => (change === own ? both : change))
}

function toDifference({ field, notAfter }: AuthorityEnd): ConfigDifference {
  return { path: field, ...renewed(notAfter), ...takeUpOf('', field.split('.')) }
}

function renewed(until: number) {
  return { before: `until ${dateOf(until)}`, after: 'ten years from the apply' }
}
