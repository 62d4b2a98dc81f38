import { sandboxTokens, serveHetzner } from '../../../src/sandbox/hetzner/api/serve-hetzner.ts'
import { World, type WorldOptions } from '../../../src/sandbox/world.ts'

const [readWrite = ''] = Object.keys(sandboxTokens)

/** A project of its own, asked over real HTTP as curl would. */
export async function startProject(options: WorldOptions = {}) {
  const world = new World({ latencies: 'none', ...options })
  const { url } = await serveHetzner(world)

  /** The answer's status and what its JSON says; `code` is that of a refusal. */
  async function call(method: string, path: string, body?: unknown, token: string = readWrite) {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: token === '' ? {} : { Authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const json = response.headers.get('content-type') === 'application/json'
    const answer = json ? JSON.parse(text) : {}
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: answer,
      code: answer.error?.code,
    }
  }

  /** Creates something and returns it; throws what was answered unless it was accepted. */
  async function create(path: string, body: unknown) {
    const { status, body: answer, text } = await call('POST', path, body)
    if (status !== 201) throw new Error(text)
    return answer
  }

  async function createServer(name: string, options: Record<string, unknown> = {}) {
    const body = { name, server_type: 'cx23', image: 'debian-13', location: 'fsn1', ...options }
    const { server } = await create('/servers', body)
    await world.machines.get(server.id)?.settled()
    return server
  }

  async function createNetwork() {
    const { network } = await create('/networks', {
      name: 'net',
      ip_range: '10.0.0.0/16',
      subnets: [{ type: 'cloud', network_zone: 'eu-central', ip_range: '10.0.1.0/24' }],
    })
    return network
  }

  const act = (kind: string, id: number, action: string, body: unknown = {}) =>
    call('POST', `/${kind}/${id}/actions/${action}`, body)

  return {
    world,
    call,
    create,
    createServer,
    createNetwork,
    act,
    [Symbol.asyncDispose]: () => world.close(),
  }
}
