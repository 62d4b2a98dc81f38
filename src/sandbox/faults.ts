/** What a front does with a request instead of, or besides, answering it as usual. */
export type RequestFaultKind =
  /** 409 `conflict`, no effect. */
  | 'conflict'
  /** 423 `locked`, no effect. */
  | 'locked'
  /** 429 in the wording that names the limit. */
  | 'rate-limit'
  /** 429 in the wording that quotes the first half of the token. */
  | 'rate-limit-token'
  /** 502 as an HTML page. */
  | 'bad-gateway'
  /** 504 with a JSON error. */
  | 'timeout'
  /** 500 with a JSON error. */
  | 'server-error'
  /** 503 with a JSON error. */
  | 'unavailable'
  /** 412 `resource_unavailable`: no host has room. */
  | 'no-capacity'
  /** 403 `resource_limit_exceeded`. */
  | 'limit'
  /** The connection is cut before anything happens. */
  | 'drop-before'
  /** The effect takes place, then the connection is cut: the answer is lost. */
  | 'drop-after'
  /** A download whose second half never comes. */
  | 'truncate'
  /** A part is asked for, and all of it comes. */
  | 'ignore-range'
  /** A part is asked for, and another one comes. */
  | 'wrong-range'
  /** 200 with a page that is no answer of this service. */
  | 'strange-page'

export interface RequestFault {
  readonly kind: RequestFaultKind
  /** Which front; any where absent. */
  readonly front?: string
  /** `POST /servers` or `POST /servers/{id}/actions/*`, or a pattern on that text; any where absent. */
  readonly route?: string | RegExp
  /** How many requests it hits; once where absent. */
  readonly times?: number
}

export interface ActionFault {
  /** The action's command, e.g. `create_server`. */
  readonly command: string
  /** `error` ends it with this failure; `stuck` leaves it running for ever. */
  readonly outcome: { readonly error: { code: string; message: string } } | 'stuck'
  readonly times?: number
}

interface Counted<T> {
  readonly fault: T
  left: number
}

/** The faults of a world: inputs that a test sets before, or while, the product runs. */
export class Faults {
  readonly #lags: Partial<Pick<Faults, 'releaseLagMs' | 'selectorLagMs' | 'listLagMs'>>
  readonly #requests: Counted<RequestFault>[] = []
  readonly #actions: Counted<ActionFault>[] = []
  readonly #neverBoots = new Map<string, number>()
  readonly #moves = new Map<string, number>()
  readonly #soldOut = new Set<string>()

  /** How long a deleted server still counts for its firewalls and its placement group. */
  releaseLagMs = 0
  /** How long label selectors take to see new servers and labels. */
  selectorLagMs = 0
  /** How long lists by name or label take to show what was made: only its own id answers before. */
  listLagMs = 0
  /** Lists answer `last_page: null` and `total_entries: null`. */
  nullLastPage = false
  /** Every object of an answer carries a field that no client has heard of. */
  unknownFields = false
  /** Enum values that no client has heard of appear in answers: a server status, an action status stays known. */
  unknownEnumValues = false
  /** How long a rescue system needs until its SSH server listens, on the world's clock. */
  sshDelayMs = 0
  /** SSH connections to cut in the middle of a command: how many of the next ones. */
  sshDrops = 0
  /** Rescue systems make a new host key at each connection, as an interposed host would. */
  sshHostKeyChanges = false

  /** The lags that this world has from the beginning. */
  constructor(lags: Partial<Pick<Faults, 'releaseLagMs' | 'selectorLagMs' | 'listLagMs'>> = {}) {
    this.#lags = lags
    Object.assign(this, lags)
  }

  /** The next requests that fit are hit by this fault. */
  inject(fault: RequestFault): void {
    this.#requests.push({ fault, left: fault.times ?? 1 })
  }

  /** The next actions of this command end this way. */
  injectAction(fault: ActionFault): void {
    this.#actions.push({ fault, left: fault.times ?? 1 })
  }

  /** A server of this name is switched on `times` times without its system ever answering. */
  neverBoots(serverName: string, times = 1): void {
    this.#neverBoots.set(serverName, times)
  }

  /** At its next reboot, or power on, this server comes back with another public address. */
  movesAddress(serverName: string, times = 1): void {
    this.#moves.set(serverName, times)
  }

  /** No host of this location (any where absent) has room for this server type, until `restock`. */
  soldOut(serverType: string, location = '*'): void {
    this.#soldOut.add(`${serverType}@${location}`)
  }

  restock(): void {
    this.#soldOut.clear()
  }

  /** Forgets every fault; switches go back to none, and lags to those of the beginning. */
  clear(): void {
    Object.assign(this, new Faults(this.#lags))
    this.#requests.length = 0
    this.#actions.length = 0
    for (const counts of [this.#neverBoots, this.#moves]) counts.clear()
    this.restock()
  }

  /** For fronts: the fault that hits this request, used up by one. */
  takeRequest(front: string, method: string, path: string): RequestFaultKind | undefined {
    return take(this.#requests, (fault) => {
      if (fault.front !== undefined && fault.front !== front) return false
      return fault.route === undefined || routePattern(fault.route).test(`${method} ${path}`)
    })?.kind
  }

  /** For fronts: how an action of this command is to end, where not as usual. */
  takeAction(command: string): ActionFault['outcome'] | undefined {
    return take(this.#actions, (fault) => fault.command === command)?.outcome
  }

  takeNeverBoots(serverName: string): boolean {
    return takeCount(this.#neverBoots, serverName)
  }

  takeMove(serverName: string): boolean {
    return takeCount(this.#moves, serverName)
  }

  takeSshDrop(): boolean {
    if (this.sshDrops === 0) return false
    this.sshDrops--
    return true
  }

  isSoldOut(serverType: string, location: string): boolean {
    return this.#soldOut.has(`${serverType}@${location}`) || this.#soldOut.has(`${serverType}@*`)
  }
}

function take<T>(counted: Counted<T>[], fits: (fault: T) => boolean): T | undefined {
  const index = counted.findIndex(({ fault }) => fits(fault))
  const found = counted[index]
  if (found === undefined) return undefined
  found.left--
  if (found.left <= 0) counted.splice(index, 1)
  return found.fault
}

function takeCount(counts: Map<string, number>, name: string): boolean {
  const left = counts.get(name) ?? 0
  if (left > 0) counts.set(name, left - 1)
  return left > 0
}

function routePattern(route: string | RegExp): RegExp {
  if (route instanceof RegExp) return route
  const escaped = route.replace(/[.+?^$()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll(/\{[^}]*\}/g, '[^/]+').replaceAll('*', '.*')}$`)
}
