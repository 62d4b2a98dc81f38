import { createHetznerClient, type HetznerClient } from '../../src/hetzner/api/hetzner-client.ts'
import { createApplyContext } from '../../src/hetzner/apply/apply-context.ts'
import { applyHetznerChange } from '../../src/hetzner/apply.ts'
import { desireHetzner } from '../../src/hetzner/desire.ts'
import { diffHetzner } from '../../src/hetzner/diff.ts'
import { imageLabels } from '../../src/hetzner/kinds/image/image-record.ts'
import { liveImages } from '../../src/hetzner/kinds/image/live-images.ts'
import { observeHetzner } from '../../src/hetzner/observe.ts'
import { observeDestroy } from '../../src/hetzner/observe-destroy.ts'
import { planDestroyHetzner } from '../../src/hetzner/plan-destroy.ts'
import { type Clock, createClock } from '../../src/lib/clock.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { Redactor } from '../../src/lib/redactor.ts'
import { runGraph } from '../../src/lib/run-graph.ts'
import { allocateNodes } from '../../src/plan/allocate-nodes.ts'
import type { Change } from '../../src/plan/change.ts'
import { orderChanges } from '../../src/plan/order-changes.ts'
import { sandboxTokens, serveHetzner } from '../../src/sandbox/hetzner/api/serve-hetzner.ts'
import { World } from '../../src/sandbox/world.ts'
import type { ClusterSpec } from '../../src/spec/cluster-spec.ts'
import { clusterSpec } from '../plan/specs.ts'

export const identity = { clusterName: 'demo', uid: '0123456789abcdef' }
export const schematic = 'ab'.repeat(32)

/** What the project holds when the sample cluster was made. */
export const completeCluster = {
  servers: [
    'demo-control-plane-1',
    'demo-control-plane-2',
    'demo-control-plane-3',
    'demo-workers-1',
    'demo-workers-2',
  ],
  networks: ['demo'],
  firewalls: ['demo'],
  placementGroups: ['demo-control-plane-1', 'demo-workers-1'],
  loadBalancers: ['demo-api-(random)'],
  sshKeys: ['demo'],
}

const [readWriteToken = '', readOnlyToken = ''] = Object.keys(sandboxTokens)

/** A project of the sandbox with a Talos snapshot in it, and a client that looks at it in fast time. */
export async function startHetznerWorld(
  options: { readonly requestsPerHour?: number; readonly readOnly?: boolean } = {},
) {
  const clock = createClock(2_000)
  const { requestsPerHour = 1_000_000, readOnly = false } = options
  const world = new World({ clock, requestsPerHour })
  const front = await serveHetzner(world)
  addTalosSnapshot(world)
  /** Another machine's client, by that machine's clock. */
  const connect = (its: Clock) =>
    createHetznerClient({
      token: readOnly ? readOnlyToken : readWriteToken,
      endpoint: front.url,
      clock: its,
      random: seededRandom(3),
      redactor: new Redactor(),
    })
  return {
    world,
    client: connect(clock),
    connect,
    [Symbol.asyncDispose]: async () => {
      await front.close()
      await world.close()
    },
  }
}

function addTalosSnapshot(world: World): number {
  const id = world.hetzner.nextId()
  const wanted = { arch: 'amd64' as const, version: clusterSpec().talos.version, schematic }
  world.hetzner.images.set(id, {
    id,
    type: 'snapshot',
    status: 'available',
    name: null,
    description: 'Talos',
    labels: imageLabels(wanted),
    created: world.clock.now(),
    imageSize: 1,
    diskSize: 40,
    createdFrom: { id: 1, name: 'demo-image-amd64' },
    boundTo: null,
    osFlavor: 'debian',
    osVersion: '13',
    architecture: 'x86',
    deprecated: null,
    deleteProtected: false,
    content: { kind: 'talos', ...wanted },
  })
  return id
}

/** What a plan would say, and what an apply needs to carry it out. */
export async function planCluster(client: HetznerClient, spec: ClusterSpec = clusterSpec()) {
  const { clusterName, hetzner } = spec
  const live = await observeHetzner(client, {
    clusterName,
    uid: identity.uid,
    network: hetzner.network,
  })
  const nodes = allocateNodes(spec, undefined)
  const context = { uid: identity.uid, catalogue: live.catalogue, schematic }
  const desired = desireHetzner(spec, nodes, context)
  const images = liveImages(desired, live)
  const changes = orderChanges(diffHetzner(desired, [...live.records, ...images]))
  return {
    live,
    desired,
    changes,
    context: createApplyContext(client, { identity, spec, live, liveImages: images }),
  }
}

/** Plans and applies; returns the facts of each change by its key. */
export async function applyCluster(
  client: HetznerClient,
  spec: ClusterSpec = clusterSpec(),
): Promise<Map<string, JsonObject>> {
  const { changes, context } = await planCluster(client, spec)
  const facts = new Map<string, JsonObject>()
  await runGraph(
    changes.map((change) => ({
      id: change.key,
      needs: change.needs,
      run: async () => {
        facts.set(change.key, await applyHetznerChange(change, context))
      },
    })),
    16,
  )
  return facts
}

export async function planDestroy(
  client: HetznerClient,
  { volumes = 'keep', network }: { volumes?: 'keep' | 'delete'; network?: string } = {},
): Promise<Change[]> {
  const leftovers = await observeDestroy(client, { identity, network })
  return orderChanges(planDestroyHetzner(leftovers, { volumes }))
}

export async function destroyCluster(
  client: HetznerClient,
  options: { volumes?: 'keep' | 'delete'; network?: string } = {},
): Promise<void> {
  const changes = await planDestroy(client, options)
  const { context } = await planCluster(client)
  await runGraph(
    changes.map((change) => ({
      id: change.key,
      needs: change.needs,
      run: async () => {
        await applyHetznerChange(change, context)
      },
    })),
    16,
  )
}

/** The load balancer's name ends in random digits: this is the part that tests can know. */
function withoutRandom(name: string): string {
  return name.replace(/-api-[0-9a-f]{32}$/, '-api-(random)')
}

/** Everything that the project holds, by kind, for seeing what is left. */
export function contents({ hetzner }: World): Record<string, string[]> {
  const names = (map: ReadonlyMap<number, { readonly name: string }>) =>
    [...map.values()].map(({ name }) => withoutRandom(name)).sort()
  const all = {
    servers: names(hetzner.servers),
    networks: names(hetzner.networks),
    firewalls: names(hetzner.firewalls),
    placementGroups: names(hetzner.placementGroups),
    loadBalancers: names(hetzner.loadBalancers),
    sshKeys: names(hetzner.sshKeys),
    volumes: names(hetzner.volumes),
  }
  return Object.fromEntries(Object.entries(all).filter(([, list]) => list.length > 0))
}
