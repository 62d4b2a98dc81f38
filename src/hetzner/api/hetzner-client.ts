import type { Clock } from '../../lib/clock.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { RecordExchange } from '../../lib/http-exchange.ts'
import type { Random } from '../../lib/random.ts'
import type { Redactor } from '../../lib/redactor.ts'
import { type ActionWait, ActionWaiter } from './action-waiter.ts'
import { type ApiAction, getActions } from './actions.ts'
import { createFirewalls, type Firewalls } from './firewalls.ts'
import { createFloatingIps, type FloatingIps } from './floating-ips.ts'
import { createCaller } from './hetzner-caller.ts'
import { HetznerHttp, type RequestReport } from './hetzner-http.ts'
import { createImages, type Images } from './images.ts'
import { type ApiLoadBalancerType, listLoadBalancerTypes } from './load-balancer-types.ts'
import { createLoadBalancers, type LoadBalancers } from './load-balancers.ts'
import { type ApiLocation, listLocations } from './locations.ts'
import { createNetworks, type Networks } from './networks.ts'
import { createPlacementGroups, type PlacementGroups } from './placement-groups.ts'
import { type ApiPricing, getPricing } from './pricing.ts'
import { type ApiPrimaryIp, listPrimaryIps } from './primary-ips.ts'
import { RateGovernor } from './rate-governor.ts'
import { type ApiServerType, listServerTypes } from './server-types.ts'
import { createServers, type Servers } from './servers.ts'
import { createSshKeys, type SshKeys } from './ssh-keys.ts'
import { createTokenScrubber } from './token-scrubber.ts'
import { createVolumes, type Volumes } from './volumes.ts'

const defaultHetznerEndpoint = 'https://api.hetzner.cloud/v1'

/** Hetzner's API, as far as the product uses it. Every failure it throws is a ClusterError. */
export interface HetznerClient {
  readonly clock: Clock
  readonly random: Random
  readonly signal: AbortSignal | undefined
  readonly networks: Networks
  readonly firewalls: Firewalls
  readonly placementGroups: PlacementGroups
  readonly loadBalancers: LoadBalancers
  readonly sshKeys: SshKeys
  readonly servers: Servers
  readonly images: Images
  readonly volumes: Volumes
  readonly floatingIps: FloatingIps
  primaryIps(): Promise<ApiPrimaryIp[]>
  serverTypes(): Promise<ApiServerType[]>
  loadBalancerTypes(): Promise<ApiLoadBalancerType[]>
  locations(): Promise<ApiLocation[]>
  pricing(): Promise<ApiPricing>
  /** Resolves when all have succeeded; all waits of a client share one poller. */
  waitForActions(actions: readonly ApiAction[], options: ActionWait): Promise<void>
  /** How many requests went out so far, retries included; shared with `withSignal`'s clients. */
  readonly requests: number
  /** Hetzner's clock at its last answer, in milliseconds since the epoch and to the second; undefined before one. */
  readonly serverTime: number | undefined
  /** The same client under another signal (or none): to clean up after an abort. */
  withSignal(signal: AbortSignal | undefined): HetznerClient
}

export interface HetznerClientOptions {
  readonly token: string
  readonly endpoint?: string | undefined
  readonly clock: Clock
  readonly random: Random
  readonly signal?: AbortSignal | undefined
  /** Learns the token. */
  readonly redactor: Redactor
  readonly userAgent?: string
  /** Milliseconds of real time for one answer; 30 s by default. */
  readonly timeoutMs?: number
  /** How many changing requests may be under way at once; 10 by default. */
  readonly concurrentWrites?: number
  readonly onRequest?: (report: RequestReport) => void
  readonly record?: RecordExchange | undefined
}

/**
 * Makes a client. Throws `token-missing`, `token-invalid` (what can be no token) or `usage` (an
 * endpoint that is no HTTPS address); asks Hetzner nothing yet.
 */
export function createHetznerClient(options: HetznerClientOptions): HetznerClient {
  const { token, clock, random, redactor, onRequest, record } = options
  checkToken(token)
  const endpoint = checkEndpoint(options.endpoint ?? defaultHetznerEndpoint)
  redactor.add(token)
  const scrub = createTokenScrubber(token)
  const http = new HetznerHttp({
    token,
    endpoint,
    clock,
    random,
    governor: new RateGovernor(clock),
    scrub,
    userAgent: options.userAgent ?? 'hcloud-talos',
    timeoutMs: options.timeoutMs ?? 30_000,
    concurrentWrites: options.concurrentWrites ?? 10,
    onRequest,
    record,
  })
  return bindClient(http, scrub, options.signal)
}

function bindClient(
  http: HetznerHttp,
  scrub: (text: string) => string,
  signal: AbortSignal | undefined,
): HetznerClient {
  const caller = createCaller(http, signal)
  const read = async (ids: readonly number[]) =>
    (await getActions(caller, ids)).map((action) =>
      action.error
        ? { ...action, error: { ...action.error, message: scrub(action.error.message) } }
        : action,
    )
  const waiter = new ActionWaiter(http.clock, read, signal)
  return {
    clock: http.clock,
    random: http.random,
    signal,
    networks: createNetworks(caller),
    firewalls: createFirewalls(caller),
    placementGroups: createPlacementGroups(caller),
    loadBalancers: createLoadBalancers(caller),
    sshKeys: createSshKeys(caller),
    servers: createServers(caller),
    images: createImages(caller),
    volumes: createVolumes(caller),
    floatingIps: createFloatingIps(caller),
    primaryIps: () => listPrimaryIps(caller),
    serverTypes: () => listServerTypes(caller),
    loadBalancerTypes: () => listLoadBalancerTypes(caller),
    locations: () => listLocations(caller),
    pricing: () => getPricing(caller),
    waitForActions: (actions, wait) => waiter.wait(actions, wait),
    get requests() {
      return http.requests
    },
    get serverTime() {
      return http.serverTime
    },
    withSignal: (other) => bindClient(http, scrub, other),
  }
}

function checkToken(token: string): void {
  if (token === '') {
    throw new ClusterError('token-missing', 'there is no token for Hetzner Cloud', {
      hint: 'Set HCLOUD_TOKEN to an API token of the project.',
    })
  }
  // Anything else would break the header, and the error about that would quote it.
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new ClusterError('token-invalid', 'the token has characters that no token has', {
      hint: 'Look for spaces or line breaks around HCLOUD_TOKEN.',
    })
  }
}

function checkEndpoint(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  const loopback = url && /^(127(\.\d+){3}|localhost|\[::1\])$/.test(url.hostname)
  if (!url || (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback))) {
    throw new ClusterError('usage', 'the Hetzner endpoint must be an https address', {
      hint: `Set HCLOUD_ENDPOINT to something like ${defaultHetznerEndpoint}, or leave it out.`,
    })
  }
  return endpoint.replace(/\/+$/, '')
}
