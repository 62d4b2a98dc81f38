import { createHmac } from 'node:crypto'
import { deleteObject } from '../../kubernetes/api/delete-object.ts'
import type { KubeObject } from '../../kubernetes/model/kube-object.ts'
import { objectAt, textAt } from '../../kubernetes/model/read-json.ts'
import type { World } from '../../world.ts'
import { configMap, putObject } from './cluster-objects.ts'
import type { HostActs } from './host-acts.ts'
import type { HostCluster } from './host-cluster.ts'

const info = 'kube-public/cluster-info'
const prefix = 'kube-system/bootstrap-token-'

/** A field of a Secret, in plain text; empty where there is none. */
export function secretField(secret: KubeObject | undefined, field: string): string {
  return Buffer.from(textAt(secret, 'data', field), 'base64').toString('utf8')
}

export function secretData(fields: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(fields)
  return Object.fromEntries(
    entries.map(([name, text]) => [name, Buffer.from(text).toString('base64')]),
  )
}

/**
 * What controllers of a cluster do with tokens: each signs where the cluster is found, as long as it is there, and goes
 * when it ends. The world's calendar decides, since that is what a token's end is written in.
 */
export class BootstrapTokens {
  readonly #cluster: HostCluster
  readonly #world: World
  readonly #acts: HostActs

  constructor(cluster: HostCluster, world: World, acts: HostActs) {
    this.#cluster = cluster
    this.#world = world
    this.#acts = acts
    cluster.kubernetes.context.store.subscribe(({ resource, object, type }) => {
      if (resource !== 'secrets' || !isToken(object)) return
      if (type !== 'DELETED') this.#look(object)
      // Not within the write that told of it.
      setImmediate(() => this.#sign())
    })
  }

  /** Makes one, as kubeadm does. */
  create(token: string, minutes: number, description: string): KubeObject {
    const [id = '', secret = ''] = token.split('.')
    const expires = new Date(this.#world.calendar.now() + minutes * 60_000)
    return putObject(this.#cluster, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: `bootstrap-token-${id}`, namespace: 'kube-system' },
      type: 'bootstrap.kubernetes.io/token',
      data: secretData({
        'token-id': id,
        'token-secret': secret,
        ...(minutes > 0 && { expiration: expires.toISOString().replace(/\.\d+Z$/, 'Z') }),
        'usage-bootstrap-authentication': 'true',
        'usage-bootstrap-signing': 'true',
        'auth-extra-groups': 'system:bootstrappers:kubeadm:default-node-token',
        description,
      }),
    })
  }

  list(): KubeObject[] {
    return this.#cluster.kubernetes.context.store.list('secrets', 'kube-system').filter(isToken)
  }

  delete(id: string): boolean {
    const { context } = this.#cluster.kubernetes
    const key = `${prefix}${id}`
    if (!context.store.get('secrets', key)) return false
    deleteObject(context, context.resources.builtin('secrets'), key)
    return true
  }

  /** Why nobody joins with this token; undefined where somebody does. */
  refusal(token: string): string | undefined {
    const [id = '', secret = ''] = token.split('.')
    const { store } = this.#cluster.kubernetes.context
    const found = store.get('secrets', `${prefix}${id}`)
    const signed = textAt(store.get('configmaps', info), 'data', `jws-kubeconfig-${id}`)
    if (signed === '') {
      return `could not find a JWS signature in the cluster-info ConfigMap for token ID "${id}"`
    }
    const end = secretField(found, 'expiration')
    const isOver = end !== '' && Date.parse(end) <= this.#world.calendar.now()
    if (isOver || secretField(found, 'token-secret') !== secret) return 'Unauthorized'
    return undefined
  }

  #look(secret: KubeObject): void {
    const id = secretField(secret, 'token-id')
    const end = secretField(secret, 'expiration')
    const now = this.#world.calendar.now()
    const expires = end === '' ? Number.POSITIVE_INFINITY : Date.parse(end)
    this.#acts.makesToken(id, expires)
    if (!Number.isFinite(expires)) return
    // Longer ones outlive every world.
    const wait = Math.min(Math.max(expires - now, 0), 2 ** 31 - 1)
    this.#world.calendar.sleep(wait, this.#world.signal).then(
      () => this.#expire(id),
      () => undefined,
    )
  }

  #expire(id: string): void {
    const { store } = this.#cluster.kubernetes.context
    const end = secretField(store.get('secrets', `${prefix}${id}`), 'expiration')
    if (end !== '' && Date.parse(end) <= this.#world.calendar.now()) this.delete(id)
  }

  #sign(): void {
    const { store } = this.#cluster.kubernetes.context
    const live = store.get('configmaps', info)
    if (live === undefined) return
    const kubeconfig = textAt(live, 'data', 'kubeconfig')
    const signatures = this.list()
      .filter((one) => secretField(one, 'usage-bootstrap-signing') === 'true')
      .map((one): [string, string] => {
        const id = secretField(one, 'token-id')
        return [`jws-kubeconfig-${id}`, sign(kubeconfig, id, secretField(one, 'token-secret'))]
      })
    const data = { kubeconfig, ...Object.fromEntries(signatures) }
    if (JSON.stringify(data) === JSON.stringify(objectAt(live, 'data'))) return
    putObject(this.#cluster, configMap('cluster-info', data, 'kube-public'))
  }
}

function isToken(object: KubeObject): boolean {
  return textAt(object, 'type') === 'bootstrap.kubernetes.io/token'
}

/** A JWS without its content. */
function sign(content: string, id: string, secret: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'HS256', kid: id })).toString('base64url')
  const payload = Buffer.from(content).toString('base64url')
  const signature = createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url')
  return `${header}..${signature}`
}
