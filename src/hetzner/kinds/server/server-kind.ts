import type { Change } from '../../../plan/change.ts'
import { type ClusterRecord, type RecordKey, recordKey } from '../../../plan/record.ts'
import type { ApiServer } from '../../api/servers.ts'
import { listComplete } from '../../list-complete.ts'
import { type OwnResource, serverNameOf } from '../../own-resources.ts'
import { isShortLived } from '../../ownership.ts'
import { firewallSpecSchema } from '../firewall/firewall-record.ts'
import type { HetznerKind, Observed } from '../hetzner-kind.ts'
import { imageKey } from '../image/image-record.ts'
import { plainComparison, plainDestruction } from '../kind-defaults.ts'
import { clusterNetworkNames } from '../record-parts.ts'
import { applyServer } from './apply-server.ts'
import { desireServer, isUnfinishedServer, liveServer, serverRules } from './server-record.ts'

export const serverKind: HetznerKind<ApiServer> = {
  name: 'server',
  observe: {
    observedIn: 'each-run',
    isRecorded: true,
    list: ({ servers }, { known }) => listComplete('server', servers, known),
    nameOf: (server, { clusterName }) => serverNameOf(clusterName)(server),
    isOfControllers: () => false,
    live: readServer,
  },
  desire: ({ spec, nodes, identity, catalogue, image }) =>
    nodes.map((node) =>
      desireServer(spec, node, {
        identity,
        catalogue,
        imageKey: (arch) => imageKey(image(arch)),
      }),
    ),
  compare: {
    ...plainComparison,
    rules: serverRules,
    isUnfinished: (live, { wasFinished }) => isUnfinishedServer(live, wasFinished),
    queueOf,
    drift: {
      neverRestored: ['serverType', 'location', 'publicIpv4', 'publicIpv6'],
      keptByPolicy: ['name', 'placementGroup'],
      alsoKept: () => [],
      isNameRandom: false,
    },
  },
  apply: applyServer,
  destroy: { ...plainDestruction, risk: 'data-loss', goesBefore: accessAndVolumes },
  phase: 'servers',
}

function readServer(own: OwnResource<ApiServer>, observed: Observed): ClusterRecord | undefined {
  // One that is being deleted will be gone; who creates it again waits for that.
  if (own.item.status === 'deleting') return undefined
  const { found, catalogue } = observed
  const firewalls = found.of('firewall').own
  return liveServer(own, {
    networks: clusterNetworkNames(observed),
    catalogue,
    firewall:
      firewalls.find(({ recorded }) => recorded) ??
      firewalls.find(({ item }) => !isShortLived(item.labels)),
    groups: new Map(found.of('placement-group').own.map(({ item, name }) => [item.id, name])),
  })
}

/**
 * Replacements within one pool of workers, and what stops them, wait for each other. Control planes have
 * an order of their own, over more than Hetzner's changes.
 */
function queueOf({ before, action, risk }: Change): string | undefined {
  if (!before || risk === 'live' || risk === 'additive') return undefined
  if (before.spec['role'] === 'control-plane') return undefined
  return action === 'delete' ? undefined : `pool ${String(before.spec['pool'])}`
}

/** The firewalls that let a run in to it, and the volumes that hang on it. */
function accessAndVolumes(
  { facts }: ClusterRecord,
  all: readonly ClusterRecord[],
): readonly RecordKey[] {
  const attachments = all.filter(
    ({ kind, spec }) => kind === 'firewall' && isShortLived(firewallSpecSchema.parse(spec).labels),
  )
  const volumes = all.filter(
    (record) => record.kind === 'volume' && record.facts?.['server'] === facts?.['id'],
  )
  return [...attachments, ...volumes].map(recordKey)
}
