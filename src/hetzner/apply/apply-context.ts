import { isJsonObject, type JsonObject } from '../../lib/json.ts'
import { createLimit, type Limit } from '../../lib/limit.ts'
import { type ClusterRecord, type RecordKey, recordKey } from '../../plan/record.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import type { HetznerClient } from '../api/hetzner-client.ts'
import type { HetznerCatalogue } from '../catalogue.ts'
import type { HetznerLive } from '../observe.ts'
import type { ClusterIdentity } from '../ownership.ts'

/** What removing anything of ours takes. */
export interface OwnerContext {
  readonly client: HetznerClient
  readonly identity: ClusterIdentity
  /** Ids by key: what was observed, and what this run has made since. Who builds an image adds it. */
  readonly ids: Map<RecordKey, number>
}

/** What making anything of ours takes, and giving it its name. */
export interface MakerContext extends OwnerContext {
  /** In which renames take turns: each may take a name from another of ours. */
  readonly renames: Limit
}

/** What the changes of one run share. */
export interface HetznerApplyContext extends MakerContext {
  /** Names of the keys that new servers get. */
  readonly sshKeys: readonly string[]
  readonly catalogue: HetznerCatalogue
}

/** What one kind of resource can have done to it. Each is idempotent and may continue where another run stopped. */
export interface ResourceApply {
  /** Makes it, or finishes what was started; returns facts for those who need it. */
  create(
    after: ClusterRecord,
    context: HetznerApplyContext,
    report: ReportStep,
  ): Promise<JsonObject>
  /** Brings what exists to what is desired. */
  update(
    after: ClusterRecord,
    context: HetznerApplyContext,
    report: ReportStep,
  ): Promise<JsonObject>
  /** Removes it and waits until it is gone; already gone is fine. */
  delete(before: ClusterRecord, context: OwnerContext, report: ReportStep): Promise<void>
}

/** Reports what is being done or waited for. */
export type ReportStep = (step: string) => void

/** The context for a plan that came from `live`; `liveImages` are the snapshots that can be used. */
export function createApplyContext(
  client: HetznerClient,
  parts: {
    readonly identity: ClusterIdentity
    readonly spec: Pick<ClusterSpec, 'clusterName' | 'hetzner'>
    readonly live: Pick<HetznerLive, 'ids' | 'catalogue'>
    readonly liveImages: readonly ClusterRecord[]
  },
): HetznerApplyContext {
  const { identity, spec, live, liveImages } = parts
  const ids = new Map(live.ids)
  for (const image of liveImages) {
    const id = image.facts?.['id']
    if (typeof id === 'number') ids.set(recordKey(image), id)
  }
  const { sshKeys } = spec.hetzner
  return {
    client,
    identity,
    ids,
    renames: createLimit(1),
    sshKeys: sshKeys.length > 0 ? sshKeys : [spec.clusterName],
    catalogue: live.catalogue,
  }
}

/** What an update brings about: what the record asks for, but for what was changed by hand and is kept so. */
export function specToApply({ spec, facts }: ClusterRecord): JsonObject {
  const kept = facts?.['kept']
  return isJsonObject(kept) ? { ...spec, ...kept } : spec
}

/** The id of something that a change needs. Its absence is a bug: needs are made first. */
export function requireId({ ids }: HetznerApplyContext, key: RecordKey): number {
  const id = ids.get(key)
  if (id === undefined) throw new Error(`${key} is needed and has no id`)
  return id
}
