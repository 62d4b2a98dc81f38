import type { Clock } from '../../lib/clock.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import { type ApiAction, actionsPerRequest } from './actions.ts'
import { HetznerApiError } from './hetzner-api-error.ts'

export interface ActionWait {
  /** What the actions are part of, for errors: `create server`. */
  readonly operation: string
  readonly target?: string | undefined
  /** Milliseconds; 10 minutes by default. */
  readonly withinMs?: number
  /** How far they are together, from 0 to 1. */
  readonly onProgress?: (fraction: number) => void
}

const shortestPauseMs = 500
/** What it costs at most to learn of an end: of a server's making, which takes two minutes, no more than this. */
const longestPauseMs = 3_000
/** An action is looked at again after this share of the time that it has taken so far. */
const pauseShare = 1 / 6
const defaultLimitMs = 600_000

interface Watched {
  readonly id: number
  readonly since: number
  dueAt: number
  progress: number
  readonly waits: Set<Wait>
}

interface Wait extends ActionWait {
  readonly open: Set<number>
  readonly progress: Map<number, number>
  readonly deadline: number
  resolve(): void
  reject(error: unknown): void
}

/**
 * Waits for actions, all waits of a run together in one poller: a hundred servers in the making cost
 * as many requests as four. Young actions are looked at often, old ones seldom, and a request that
 * must go out for one takes along others that are not due yet.
 */
export class ActionWaiter {
  readonly #clock: Clock
  readonly #read: (ids: readonly number[]) => Promise<ApiAction[]>
  readonly #signal: AbortSignal | undefined
  readonly #watched = new Map<number, Watched>()
  #polling = false

  constructor(
    clock: Clock,
    read: (ids: readonly number[]) => Promise<ApiAction[]>,
    signal: AbortSignal | undefined,
  ) {
    this.#clock = clock
    this.#read = read
    this.#signal = signal
  }

  /**
   * Resolves when every action has succeeded. Throws HetznerApiError with the action's own code when
   * one fails, `wait-timeout` when they take longer than `withinMs`.
   */
  async wait(actions: readonly ApiAction[], options: ActionWait): Promise<void> {
    for (const action of actions) throwIfFailed(action, options)
    const running = actions.filter(({ status }) => status !== 'success')
    if (running.length === 0) return
    await new Promise<void>((resolve, reject) => {
      const wait: Wait = {
        ...options,
        open: new Set(running.map(({ id }) => id)),
        progress: new Map(running.map(({ id, progress }) => [id, progress])),
        deadline: this.#clock.now() + (options.withinMs ?? defaultLimitMs),
        resolve,
        reject,
      }
      for (const { id } of running) this.#watch(id).waits.add(wait)
      this.#startPolling()
    })
  }

  #watch(id: number): Watched {
    const known = this.#watched.get(id)
    if (known) return known
    const now = this.#clock.now()
    const watched: Watched = {
      id,
      since: now,
      dueAt: now + shortestPauseMs,
      progress: 0,
      waits: new Set(),
    }
    this.#watched.set(id, watched)
    return watched
  }

  #startPolling(): void {
    if (this.#polling) return
    this.#polling = true
    this.#poll().catch((error) => this.#failAll(error))
  }

  async #poll(): Promise<void> {
    while (this.#watched.size > 0) {
      const now = this.#clock.now()
      const due = [...this.#watched.values()].sort((a, b) => a.dueAt - b.dueAt)
      const [first] = due
      if (first && first.dueAt > now) {
        // Short sleeps, since an action that begins meanwhile is due before the ones that wait.
        await this.#clock.sleep(Math.min(first.dueAt - now, shortestPauseMs), this.#signal)
        continue
      }
      const overdue = due.filter(({ dueAt }) => dueAt <= now).length
      const chunks = Math.ceil(overdue / actionsPerRequest)
      await Promise.all(
        Array.from({ length: chunks }, (_, index) =>
          this.#pollChunk(due.slice(index * actionsPerRequest, (index + 1) * actionsPerRequest)),
        ),
      )
    }
    this.#polling = false
  }

  async #pollChunk(chunk: readonly Watched[]): Promise<void> {
    const answers = new Map((await this.#read(chunk.map(({ id }) => id))).map((a) => [a.id, a]))
    const now = this.#clock.now()
    for (const watched of chunk) {
      this.#settle(watched, answers.get(watched.id), now)
      const pause = (now - watched.since) * pauseShare
      watched.dueAt = now + Math.min(longestPauseMs, Math.max(shortestPauseMs, pause))
    }
  }

  #settle(watched: Watched, action: ApiAction | undefined, now: number): void {
    for (const wait of watched.waits) {
      const failure = action ? failureOf(action, wait) : unknownAction(watched.id, wait)
      if (failure) this.#end(wait, failure)
      else if (action?.status === 'success') this.#succeed(watched.id, wait)
      else if (now >= wait.deadline) this.#end(wait, timeout(wait, action))
      if (action) reportProgress(wait, action)
    }
    if (watched.waits.size === 0) this.#watched.delete(watched.id)
  }

  #succeed(id: number, wait: Wait): void {
    wait.open.delete(id)
    this.#watched.get(id)?.waits.delete(wait)
    if (wait.open.size === 0) wait.resolve()
  }

  #end(wait: Wait, error: unknown): void {
    for (const id of wait.open) {
      const watched = this.#watched.get(id)
      watched?.waits.delete(wait)
      if (watched?.waits.size === 0) this.#watched.delete(id)
    }
    wait.reject(error)
  }

  #failAll(error: unknown): void {
    this.#polling = false
    const waits = new Set([...this.#watched.values()].flatMap((watched) => [...watched.waits]))
    this.#watched.clear()
    for (const wait of waits) wait.reject(error)
  }
}

function throwIfFailed(action: ApiAction, wait: ActionWait): void {
  const failure = failureOf(action, wait)
  if (failure) throw failure
}

function failureOf(action: ApiAction, wait: ActionWait): HetznerApiError | undefined {
  if (action.status !== 'error') return undefined
  const code = action.error?.code ?? 'unknown_error'
  return actionError(code, `${action.command} failed: ${action.error?.message ?? code}`, wait)
}

function unknownAction(id: number, wait: ActionWait): HetznerApiError {
  return actionError('action_not_found', `Hetzner does not know its own action ${id}`, wait)
}

function actionError(apiCode: string, message: string, wait: ActionWait): HetznerApiError {
  return new HetznerApiError({
    source: 'action',
    method: 'POST',
    status: 0,
    apiCode,
    message,
    operation: wait.operation,
    target: wait.target,
  })
}

function timeout(wait: Wait, action: ApiAction | undefined): ClusterError {
  const seconds = Math.round((wait.withinMs ?? defaultLimitMs) / 1_000)
  return new ClusterError(
    'wait-timeout',
    `Hetzner's action ${action?.command ?? ''} did not end within ${seconds} s`,
    {
      operation: wait.operation,
      hint: 'Run again: it continues where it stopped.',
      ...(wait.target === undefined ? {} : { target: wait.target }),
    },
  )
}

function reportProgress(wait: Wait, { id, status, progress }: ApiAction): void {
  if (!wait.onProgress) return
  wait.progress.set(id, status === 'success' ? 100 : progress)
  const sum = [...wait.progress.values()].reduce((total, value) => total + value, 0)
  wait.onProgress(sum / wait.progress.size / 100)
}
