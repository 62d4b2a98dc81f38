import type { WorldRequest } from '../request-log.ts'
import { expectStop, judgeServerDeletion, judgeStop } from '../talos/judge-voters.ts'
import type { World } from '../world.ts'
import type { Answer, Route } from './api/route.ts'
import { firewallsOfServer } from './firewalls/firewalls-of-server.ts'

/** A request that passed the general checks, as the judge sees it. */
export interface JudgedRequest {
  readonly world: World
  readonly route: Route
  /** The `{id}` of its path; 0 where it has none. */
  readonly id: number
  readonly body: unknown
}

const stopping = ['poweroff', 'shutdown', 'reboot', 'reset', 'rebuild']

/** The product is about to change something at Hetzner. */
export async function judgeRequest(request: JudgedRequest): Promise<void> {
  const { world, route, id } = request
  if (route.method === 'GET') return
  const { judge } = world
  const what = `${route.method} ${route.path.replace('{id}', String(id))}`
  const target = findResource(world, id)
  if (target !== undefined && !judge.ownership.has(id) && !judge.ownership.isEmpty) {
    judge.broken('others-untouched', `${what} on ${target.name ?? target.description}`)
  }
  judgePower(request, what)
  await judgeBeginning(request, what)
  await judgeDeletion(request, what, target?.labels ?? {})
}

/** The request was answered. */
export function noteAnswer({ world, route, id }: JudgedRequest, answer: Answer): void {
  if (route.method === 'GET' || answer.status >= 300) return
  const { judge } = world
  const isCreation = route.method === 'POST' && !route.path.includes('{id}')
  if (isCreation || route.path.endsWith('/create_image')) {
    for (const value of Object.values(answer.body ?? {})) {
      if (isRecord(value) && typeof value['id'] === 'number') judge.ownership.add(value['id'])
    }
  }
  const machine = world.machines.get(id)
  if (machine !== undefined && isStop(route.path)) expectStop(world, machine)
  if (route.path === '/servers') judgeOpenness(world, answer)
}

/** Before it has its config a node asks nobody who they are: a firewall is in force from its first moment. */
function judgeOpenness(world: World, { body = {} }: Answer): void {
  const made = isRecord(body['server']) ? Number(body['server']['id']) : 0
  const server = world.hetzner.servers.get(made)
  if (server?.labels['role'] === undefined || (server.ipv4 === null && server.ipv6 === null)) return
  if (firewallsOfServer(world, made).length > 0) return
  world.judge.broken('closed-from-the-start', `${server.name} was made without a firewall`)
}

function judgePower({ world, route, id }: JudgedRequest, what: string): void {
  const machine = world.machines.get(id)
  if (machine === undefined) return
  const act = `${what} (${machine.name})`
  if (isStop(route.path))
    judgeStop(world, machine, act, { forGood: route.path.endsWith('rebuild') })
  if (route.method === 'DELETE') judgeServerDeletion(world, machine, act)
}

function isStop(path: string): boolean {
  return stopping.some((action) => path === `/servers/{id}/actions/${action}`)
}

/** A server of a cluster is known to the state before it is made, and none is started after a failure. */
async function judgeBeginning({ world, route, id, body }: JudgedRequest, what: string) {
  const isCreation = route.method === 'POST' && route.path === '/servers'
  const isDeletion = route.method === 'DELETE' && route.path === '/servers/{id}'
  if (!isCreation && !isDeletion) return
  const { judge } = world
  const name = isCreation ? nameIn(body) : world.hetzner.servers.get(id)?.name
  const isAbout = ({ mutates, path }: WorldRequest) =>
    mutates && path.split('/').some((part) => part === name || part === String(id))
  const isBuilder = world.hetzner.servers.get(id)?.labels['component'] === 'image-builder'
  if (isDeletion && !isBuilder && judge.runs.isNew(world.requests, isAbout)) {
    judge.broken('nothing-begun-after-a-failure', `${what} (${name})`)
  }
  if (!isCreation) return
  judge.constructs()
  const { cluster, uid, role } = labelsIn(body)
  if (cluster === undefined || uid === undefined || role === undefined || name === undefined) return
  if (await judge.written.hasNode(cluster, name)) return
  judge.broken('written-down-first', `the server ${name} is made and not in the inventory`)
}

/** A network goes only with its cluster, and nothing goes whose state is gone. */
async function judgeDeletion(
  { world, route }: JudgedRequest,
  what: string,
  { cluster, uid, component }: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  if (route.method !== 'DELETE' || cluster === undefined || uid === undefined) return
  const { judge } = world
  if (component !== 'access' && (await judge.written.isGone(cluster))) {
    judge.broken('state-outlives-resources', `${what} after the state of ${cluster} was removed`)
  }
  if (route.path !== '/networks/{id}') return
  if (await judge.written.has(cluster, 'destroy-started')) return
  judge.broken('written-down-first', `${what} without destroy-started`)
}

interface Resource {
  readonly labels: Readonly<Record<string, string>>
  readonly name?: string | null
  readonly description?: string
}

function findResource({ hetzner }: World, id: number): Resource | undefined {
  const kinds: readonly ReadonlyMap<number, Resource>[] = [
    hetzner.servers,
    hetzner.networks,
    hetzner.firewalls,
    hetzner.placementGroups,
    hetzner.loadBalancers,
    hetzner.sshKeys,
    hetzner.images,
    hetzner.volumes,
    hetzner.primaryIps,
    hetzner.floatingIps,
    hetzner.certificates,
  ]
  return kinds.map((kind) => kind.get(id)).find((found) => found !== undefined)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function nameIn(body: unknown): string | undefined {
  const name = isRecord(body) ? body['name'] : undefined
  return typeof name === 'string' ? name : undefined
}

function labelsIn(body: unknown): Readonly<Record<string, string>> {
  const labels = isRecord(body) && isRecord(body['labels']) ? body['labels'] : {}
  return Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, String(value)]))
}
