import type { Clock } from '../lib/clock.ts'
import type { Json, JsonObject } from '../lib/json.ts'
import {
  describeRef,
  type KubernetesObject,
  listAt,
  type ObjectRef,
  refOf,
  textAt,
} from '../lib/kubernetes-object.ts'
import type { Random } from '../lib/random.ts'
import type { Redactor } from '../lib/redactor.ts'
import { derived, given, type Renewed } from '../lib/renewed.ts'
import { retry } from '../lib/retry.ts'
import { asListItem, asObject, objectPath, resourceOf } from './api-path.ts'
import { isApiAway, isApiRefusal } from './api-refusal.ts'
import { type ApiRequest, type ApiTransport, renewedTransport } from './api-transport.ts'
import { type Discovery, discover, pathOf } from './discovery.ts'

export interface ListQuery {
  readonly apiVersion: string
  readonly kind: string
  /** Absent lists every namespace. */
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
}

export interface ApplyOptions {
  readonly fieldManager: string
  /** Takes fields that another manager owns; without it they are a 409 that names the manager. */
  readonly force?: boolean
  readonly dryRun?: boolean
}

export interface DeleteOptions {
  /** Deletes only the object with this uid: one that took its place is left alone. */
  readonly uid?: string
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan'
}

/**
 * One cluster's API. Everything is plain JSON, so a field that is newer than this program survives.
 * Requests that may be repeated are, with growing waits, on 429, 5xx and broken connections. Throws
 * `kubernetes-unreachable`, or an `ApiRefusal` (`kubernetes-refused`) with the API's reason.
 */
export interface KubernetesClient {
  /** What the server offers; read once, again after `refreshDiscovery`. */
  discovery(): Promise<Discovery>
  refreshDiscovery(): void
  /** undefined when there is no such object. */
  get(ref: ObjectRef): Promise<KubernetesObject | undefined>
  /** All pages. */
  list(query: ListQuery): Promise<KubernetesObject[]>
  applyServerSide(object: KubernetesObject, options: ApplyOptions): Promise<KubernetesObject>
  /** A JSON merge patch; a `null` removes a field. */
  patch(ref: ObjectRef, change: JsonObject): Promise<KubernetesObject>
  /** False when it was gone already, or another took its place (uid). */
  delete(ref: ObjectRef, options?: DeleteOptions): Promise<boolean>
  /** Asks for a pod's eviction, once; 429 means that a disruption budget forbids it for now. */
  evict(pod: ObjectRef, options?: { gracePeriodSeconds?: number }): Promise<void>
  close(): void
}

export interface ClientOptions {
  /** Its text, or where it is to be had again when its credentials are about to end. */
  readonly kubeconfig: string | Renewed<string>
  readonly clock: Clock
  readonly random: Random
  readonly signal?: AbortSignal | undefined
  /** How long one attempt may take, in milliseconds of the wall clock. */
  readonly timeoutMs?: number
  readonly retries?: number
  /** Told the client key, so that it never shows. */
  readonly redactor?: Redactor | undefined
}

/** Dials nothing yet: reads the kubeconfig, and returns a way to the API server that it names. */
export async function connectTransport(
  options: Pick<ClientOptions, 'kubeconfig' | 'redactor' | 'timeoutMs'>,
): Promise<ApiTransport> {
  const { readKubeconfig } = await import('./kubeconfig.ts')
  const { kubeconfig, redactor, timeoutMs = 30_000 } = options
  const source = typeof kubeconfig === 'string' ? given(kubeconfig) : kubeconfig
  const connections = derived(source, async (text) => {
    const connection = await readKubeconfig(text)
    const { key } = connection.tls
    if (key !== undefined) redactor?.add(key.toString())
    return connection
  })
  await connections.current()
  return renewedTransport(connections, timeoutMs)
}

/** How many objects one page of a list holds; what kubectl asks for. */
const pageSize = 500

export function clientOver(
  transport: ApiTransport,
  {
    clock,
    random,
    signal,
    retries = 5,
  }: Omit<ClientOptions, 'kubeconfig' | 'timeoutMs' | 'redactor'>,
): KubernetesClient {
  let known: Promise<Discovery> | undefined
  const once = (request: ApiRequest) => transport.send(request, signal)

  const repeat = (request: ApiRequest): Promise<Json> => {
    let notBefore = 0
    return retry(
      async () => {
        const early = notBefore - clock.now()
        if (early > 0) await clock.sleep(early, signal)
        try {
          return await once(request)
        } catch (error) {
          if (isApiRefusal(error))
            notBefore = clock.now() + Math.min(error.retryAfterMs ?? 0, 30_000)
          throw error
        }
      },
      { retries, baseMs: 500, maxMs: 8_000, retryable: isApiAway },
      signal ? { clock, random, signal } : { clock, random },
    )
  }

  const get = (path: string, accept?: string) =>
    repeat({
      method: 'GET',
      path,
      operation: 'read',
      target: path,
      ...(accept === undefined ? {} : { accept }),
    })

  const discovery = () => {
    known ??= discover(get).catch((error) => {
      known = undefined
      throw error
    })
    return known
  }

  const pathTo = async (ref: ObjectRef) => objectPath(await discovery(), ref)

  return {
    discovery,
    refreshDiscovery: () => {
      known = undefined
    },
    close: () => transport.close(),

    async get(ref) {
      const path = await pathTo(ref)
      return unlessGone(async () =>
        asObject(await repeat({ method: 'GET', path, ...about('read', ref) })),
      )
    },

    async list(query) {
      const resource = resourceOf(await discovery(), query)
      const namespace = query.namespace === undefined ? '' : `/namespaces/${query.namespace}`
      const items: KubernetesObject[] = []
      let next: string | undefined
      do {
        const page = await repeat({
          method: 'GET',
          path: `${pathOf(query.apiVersion)}${namespace}/${resource.plural}`,
          query: {
            labelSelector: query.labelSelector,
            fieldSelector: query.fieldSelector,
            limit: String(pageSize),
            continue: next,
          },
          operation: 'list',
          target: resource.plural,
        })
        items.push(...listAt(page, 'items').map((item) => asListItem(item, query)))
        next = textAt(page, 'metadata', 'continue') || undefined
      } while (next !== undefined)
      return items
    },

    async applyServerSide(object, { fieldManager, force, dryRun }) {
      const ref = refOf(object)
      return asObject(
        await repeat({
          method: 'PATCH',
          path: await pathTo(ref),
          query: {
            fieldManager,
            force: force ? 'true' : undefined,
            fieldValidation: 'Strict',
            dryRun: dryRun ? 'All' : undefined,
          },
          body: object,
          contentType: 'application/apply-patch+yaml',
          ...about(dryRun ? 'compare' : 'apply', ref),
        }),
      )
    },

    async patch(ref, change) {
      return asObject(
        await repeat({
          method: 'PATCH',
          path: await pathTo(ref),
          body: change,
          contentType: 'application/merge-patch+json',
          ...about('change', ref),
        }),
      )
    },

    async delete(ref, { uid, propagation = 'Background' } = {}) {
      const path = await pathTo(ref)
      try {
        const body: JsonObject = {
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          propagationPolicy: propagation,
          ...(uid === undefined ? {} : { preconditions: { uid } }),
        }
        await repeat({ method: 'DELETE', path, body, ...about('delete', ref) })
        return true
      } catch (error) {
        if (isApiRefusal(error, 404) || (uid !== undefined && isApiRefusal(error, 409)))
          return false
        throw error
      }
    },

    async evict(pod, { gracePeriodSeconds } = {}) {
      await once({
        method: 'POST',
        path: `${pathOf('v1')}/namespaces/${pod.namespace ?? 'default'}/pods/${pod.name}/eviction`,
        body: {
          apiVersion: 'policy/v1',
          kind: 'Eviction',
          metadata: { name: pod.name, namespace: pod.namespace ?? 'default' },
          ...(gracePeriodSeconds === undefined ? {} : { deleteOptions: { gracePeriodSeconds } }),
        },
        ...about('evict', pod),
      })
    },
  }
}

function about(operation: string, ref: ObjectRef): { operation: string; target: string } {
  return { operation: `${operation} ${describeRef(ref)}`, target: describeRef(ref) }
}

async function unlessGone<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (isApiRefusal(error, 404)) return undefined
    throw error
  }
}
