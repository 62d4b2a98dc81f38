import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { createTransport } from '../../src/kubernetes/api-transport.ts'
import type { ApiConnection } from '../../src/kubernetes/kubeconfig.ts'
import {
  type ClientOptions,
  clientOver,
  type KubernetesClient,
} from '../../src/kubernetes/kubernetes-client.ts'
import { createClock } from '../../src/lib/clock.ts'
import type { Json, JsonObject } from '../../src/lib/json.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { type CertifiedKey, issueKey } from '../../src/sandbox/pki.ts'

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Json
}

export interface Reply {
  readonly status?: number
  readonly body?: Json | string
  readonly headers?: Readonly<Record<string, string>>
}

/** What a test's API server answers; undefined cuts the connection. */
export type Handler = (request: SeenRequest) => Reply | undefined

export interface Authority {
  readonly ca: CertifiedKey
  /** What reading the kubeconfig gives; without the library that reads it, which takes its time to load. */
  connection(server: string): ApiConnection
  kubeconfig(server: string): string
}

/** A CA of a cluster, with an administrator's kubeconfig. */
export function createAuthority(): Authority {
  const ca = issueKey('p256', { subject: { commonName: 'kubernetes' }, ca: true })
  const admin = issueKey('p256', {
    subject: { commonName: 'admin', organizations: ['system:masters'] },
    issuer: ca,
    usages: ['clientAuth'],
  })
  return {
    ca,
    connection: (server) => ({
      server: new URL(server),
      headers: {},
      tls: { ca: ca.crt, cert: admin.crt, key: admin.key, rejectUnauthorized: true },
    }),
    kubeconfig: (server) =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'admin@demo',
        clusters: [
          { name: 'demo', cluster: { server, 'certificate-authority-data': base64(ca.crt) } },
        ],
        contexts: [{ name: 'admin@demo', context: { cluster: 'demo', user: 'admin' } }],
        users: [
          {
            name: 'admin',
            user: {
              'client-certificate-data': base64(admin.crt),
              'client-key-data': base64(admin.key),
            },
          },
        ],
      }),
  }
}

export interface TestServer {
  readonly client: KubernetesClient
  /** Every request but those of discovery. */
  readonly seen: SeenRequest[]
  readonly authority: Authority
  readonly server: string
}

/** A client for an API server that answers as `handler` says; discovery knows a few kinds. */
export async function clientOf(
  handler: Handler,
  options: Partial<ClientOptions> & { readonly largest?: number } = {},
): Promise<TestServer> {
  const authority = createAuthority()
  const { crt, key } = issueKey('p256', {
    subject: { commonName: 'kube-apiserver' },
    issuer: authority.ca,
    usages: ['serverAuth'],
    ipAddresses: ['127.0.0.1'],
  })
  const seen: SeenRequest[] = []
  const server = createServer(
    { cert: crt, key, ca: authority.ca.crt, requestCert: true, rejectUnauthorized: true },
    (request, response) => {
      void readRequest(request).then((one) => {
        const known = discovery[one.path]
        if (!known) seen.push(one)
        const reply = known ? { body: known } : handler(one)
        if (reply) send(response, reply)
        else request.socket.destroy()
      })
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { timeoutMs = 30_000, largest, ...rest } = options
  const connection = authority.connection(`https://127.0.0.1:${portOf(server.address())}`)
  const client = clientOver(createTransport(connection, timeoutMs, largest), {
    clock: createClock(1000),
    random: seededRandom(1),
    ...rest,
  })
  onTestFinished(() => {
    client.close()
    server.closeAllConnections()
    server.close()
  })
  return { client, seen, authority, server: connection.server.href }
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const url = new URL(request.url ?? '/', 'https://server')
  const text = Buffer.concat(chunks).toString('utf8')
  return {
    method: request.method ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: request.headers,
    body: text === '' ? null : JSON.parse(text),
  }
}

function send(response: ServerResponse, { status = 200, headers, body = {} }: Reply): void {
  response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
}

/** A Status object, as the API puts its refusals. */
export function refusal(status: number, reason: string, message: string, details?: Json): Reply {
  return {
    status,
    body: {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      code: status,
      reason,
      message,
      ...(details === undefined ? {} : { details }),
    },
  }
}

/** The plain form of discovery, as servers before 1.30 have it. */
const discovery: Readonly<Record<string, JsonObject>> = {
  '/version': { gitVersion: 'v1.29.0' },
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': {
    kind: 'APIGroupList',
    groups: [
      { name: 'apps', versions: [{ groupVersion: 'apps/v1', version: 'v1' }] },
      { name: 'storage.k8s.io', versions: [{ groupVersion: 'storage.k8s.io/v1', version: 'v1' }] },
      { name: 'policy', versions: [{ groupVersion: 'policy/v1', version: 'v1' }] },
    ],
  },
  '/api/v1': {
    groupVersion: 'v1',
    resources: [
      { name: 'nodes', kind: 'Node', namespaced: false },
      { name: 'nodes/status', kind: 'Node', namespaced: false },
      { name: 'pods', kind: 'Pod', namespaced: true },
      { name: 'persistentvolumeclaims', kind: 'PersistentVolumeClaim', namespaced: true },
      { name: 'services', kind: 'Service', namespaced: true },
      { name: 'persistentvolumes', kind: 'PersistentVolume', namespaced: false },
      { name: 'configmaps', kind: 'ConfigMap', namespaced: true },
    ],
  },
  '/apis/apps/v1': {
    groupVersion: 'apps/v1',
    resources: [{ name: 'daemonsets', kind: 'DaemonSet', namespaced: true }],
  },
  '/apis/storage.k8s.io/v1': {
    groupVersion: 'storage.k8s.io/v1',
    resources: [{ name: 'volumeattachments', kind: 'VolumeAttachment', namespaced: false }],
  },
  '/apis/policy/v1': {
    groupVersion: 'policy/v1',
    resources: [{ name: 'poddisruptionbudgets', kind: 'PodDisruptionBudget', namespaced: true }],
  },
}

function portOf(address: AddressInfo | string | null): number {
  if (typeof address === 'object' && address !== null) return address.port
  throw new Error('not listening')
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
