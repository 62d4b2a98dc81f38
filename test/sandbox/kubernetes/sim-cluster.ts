import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { onTestFinished } from 'vitest'
import { createClock } from '../../../src/lib/clock.ts'
import { isJsonObject, type JsonObject } from '../../../src/lib/json.ts'
import type { KubeObject } from '../../../src/sandbox/kubernetes/model/kube-object.ts'
import type { NodeRegistration } from '../../../src/sandbox/kubernetes/node-registration.ts'
import { SimKubernetes } from '../../../src/sandbox/kubernetes/sim-kubernetes.ts'
import {
  type CertifiedKey,
  generateKey,
  issueCertificate,
  issueKey,
  writePrivateKey,
} from '../../../src/sandbox/pki.ts'
import { World } from '../../../src/sandbox/world.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly json: JsonObject
}

export interface CallOptions {
  readonly body?: unknown
  readonly contentType?: string
  readonly accept?: string
}

export interface SimCluster {
  readonly world: World
  readonly sim: SimKubernetes
  readonly ca: CertifiedKey
  readonly port: number
  /** One request as an administrator, over TLS with a client certificate. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** Server-side apply. */
  apply(path: string, manager: string, config: JsonObject, query?: string): Promise<Answer>
  /** The events of a watch, as they come. */
  watch(path: string): AsyncIterable<JsonObject>
  /** Resolves as soon as the store says so. */
  until(sentence: (get: Lookup) => boolean): Promise<void>
  readonly get: Lookup
}

export type Lookup = (resource: string, key: string) => KubeObject | undefined

/** A simulated cluster whose time runs a thousand times as fast, ended with the test. */
export async function startCluster(speed = 1_000): Promise<SimCluster> {
  const world = new World({ clock: createClock(speed) })
  const ca = newAuthority()
  const sim = new SimKubernetes({
    world,
    clusterName: 'demo',
    version: 'v1.32.0',
    ca,
    podCidr: '10.244.0.0/16',
    serviceCidr: '10.96.0.0/12',
    serverSans: () => ['127.0.0.1'],
  })
  const served = await sim.serve('127.0.0.1', 0, () => true)
  const admin = issueKey('p256', {
    subject: { commonName: 'admin', organizations: ['system:masters'] },
    issuer: ca,
    usages: ['clientAuth'],
  })
  const agent = new Agent({ ca: ca.crt, cert: admin.crt, key: admin.key, keepAlive: true })
  onTestFinished(async () => {
    agent.destroy()
    await served.close()
    await world.close()
  })
  const { store } = sim.context
  const get: Lookup = (resource, key) => store.get(resource, key)
  const call: SimCluster['call'] = (method, path, options) =>
    send(agent, served.port, method, path, options)
  return {
    world,
    sim,
    ca,
    port: served.port,
    call,
    get,
    apply: (path, manager, config, query = '') =>
      call('PATCH', `${path}?fieldManager=${manager}${query}`, {
        body: config,
        contentType: 'application/apply-patch+yaml',
      }),
    watch: (path) => streamLines(agent, served.port, path),
    until: (sentence) =>
      new Promise((resolve) => {
        const look = () => {
          if (!sentence(get)) return
          stop()
          resolve()
        }
        const stop = store.subscribe(() => queueMicrotask(look))
        look()
      }),
  }
}

export function newAuthority(): CertifiedKey {
  const key = generateKey('p256')
  const crt = issueCertificate({ subject: { commonName: 'kubernetes' }, key, ca: true })
  return { crt, key: writePrivateKey(key) }
}

/** One request over TLS, with whatever certificates the agent has. */
export function send(
  agent: Agent,
  port: number,
  method: string,
  path: string,
  { body, contentType = 'application/json', accept = 'application/json' }: CallOptions = {},
): Promise<Answer> {
  const data = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  const headers = {
    accept,
    'user-agent': 'test/1.0',
    ...(data === undefined ? {} : { 'content-type': contentType, 'content-length': data.length }),
  }
  return new Promise((resolve, reject) => {
    const message = request(
      { host: '127.0.0.1', port, method, path, agent, headers },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: parseObject(text),
          })
        })
      },
    )
    message.on('error', reject)
    message.end(data)
  })
}

async function* streamLines(agent: Agent, port: number, path: string): AsyncIterable<JsonObject> {
  const message = request({ host: '127.0.0.1', port, path, agent })
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    message.on('response', resolve)
    message.on('error', reject)
    message.end()
  })
  let rest = ''
  for await (const chunk of response) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines.map(parseObject)
  }
}

function parseObject(text: string): JsonObject {
  if (!text.startsWith('{')) return {}
  const value: unknown = JSON.parse(text.split('\n')[0] ?? '{}')
  return isJsonObject(value) ? value : {}
}

export function node(
  name: string,
  serverId: number,
  changes: Partial<NodeRegistration> = {},
): NodeRegistration {
  return {
    name,
    internalIp: `10.0.64.${serverId}`,
    externalIp: `127.9.0.${serverId}`,
    roleControlPlane: false,
    labels: {},
    annotations: {},
    taints: [],
    osImage: 'Talos (v1.9.0)',
    kubeletVersion: 'v1.32.0',
    bootId: `boot-${serverId}`,
    serverId,
    ...changes,
  }
}
