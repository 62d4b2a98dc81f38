import type { Finding } from '../../../lib/finding.ts'
import { type ClusterRecord, recordKey } from '../../../plan/record.ts'
import type { ApiVolume } from '../../api/volumes.ts'
import { roundCents } from '../../catalogue.ts'
import { isControllerVolume } from '../../controller-resources.ts'
import type { HetznerLeftovers } from '../../observe-destroy.ts'
import type { OwnResource } from '../../own-resources.ts'
import { staysText } from '../../stays-text.ts'
import type { DestroyPolicy, HetznerKind, Observed } from '../hetzner-kind.ts'
import { plainComparison, plainDestruction, plainDrift } from '../kind-defaults.ts'
import { protectionFact } from '../record-parts.ts'
import { deleteVolume } from './delete-volume.ts'

/** Made by the cluster's storage driver, and by nobody else: no file asks for one. */
export const volumeKind: HetznerKind<ApiVolume> = {
  name: 'volume',
  observe: {
    observedIn: 'destroy',
    isRecorded: false,
    list: ({ volumes }) => volumes.list(),
    nameOf: ({ name }) => name,
    isOfControllers: (volume, place) => isControllerVolume(volume, place, place.serverIds),
    live: liveVolume,
  },
  desire: () => [],
  compare: {
    ...plainComparison,
    rules: { create: refuse, update: refuse, delete: refuse },
    drift: plainDrift,
  },
  apply: { create: refuse, update: refuse, delete: deleteVolume },
  destroy: {
    ...plainDestruction,
    isKept: ({ volumes }) => volumes === 'keep',
    risk: 'data-loss',
    reason: () => 'the cluster is destroyed, and policy.onDestroyVolumes is delete',
    describeKept: describeVolumes,
  },
  phase: 'none',
}

function liveVolume(
  { item }: OwnResource<ApiVolume>,
  { catalogue }: Pick<Observed, 'catalogue'>,
): ClusterRecord {
  const { id, name, size, location, labels, server } = item
  const claim = labels['pvc-name']
  const record = { kind: 'volume' as const, name }
  return {
    ...record,
    spec: {
      sizeGb: size,
      location: location.name,
      claim: claim === undefined ? null : `${labels['pvc-namespace'] ?? ''}/${claim}`,
    },
    needs: [],
    monthlyCost: roundCents(size * catalogue.volumePricePerGb),
    facts: { id, key: recordKey(record), server: server ?? null, ...protectionFact(item) },
  }
}

function describeVolumes(
  { records, guestVolumes }: Pick<HetznerLeftovers, 'records' | 'guestVolumes'>,
  { volumes }: DestroyPolicy,
): readonly Finding[] {
  const path = ['policy', 'onDestroyVolumes']
  const kept = volumes === 'keep' ? records.filter(({ kind }) => kind === 'volume') : []
  return [
    ...kept.map(({ name, spec, monthlyCost }) => ({
      severity: 'warning' as const,
      path,
      message: staysText({
        what: `the volume ${name} (${String(spec['sizeGb'])} GB)`,
        monthlyCost,
      }),
      hint: 'Set policy.onDestroyVolumes to delete, or delete it yourself.',
    })),
    ...guestVolumes.map(({ name, server }) => ({
      severity: 'warning' as const,
      path,
      message: `the volume ${name} on ${server} is not the cluster's and is only detached`,
    })),
  ]
}

function refuse(record: ClusterRecord): never {
  throw new Error(`volume ${record.name} is the storage driver's to make`)
}
