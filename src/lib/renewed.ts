import type { Clock } from './clock.ts'

/** Something that does not last, such as a client certificate. */
export interface Renewed<T> {
  /** What is good now: the same object as long as nothing has changed. */
  current(): Promise<T>
}

export interface RenewalOptions<T> {
  /** Makes a new one, good for `lifeMs` milliseconds. */
  readonly mint: () => Promise<T>
  readonly lifeMs: number
  /** The wall's time: what certificates are dated by. */
  readonly clock: Clock
}

/** Made when it is first wanted, and again before a third of its life is left. */
export function renewed<T>({ mint, lifeMs, clock }: RenewalOptions<T>): Renewed<T> {
  let minted: { readonly at: number; readonly value: Promise<T> } | undefined
  return {
    current() {
      if (minted !== undefined && clock.now() < minted.at + (lifeMs * 2) / 3) return minted.value
      const value = mint()
      const mine = { at: clock.now(), value }
      minted = mine
      // What could not be minted is tried again by whoever asks next.
      value.catch(() => {
        if (minted === mine) minted = undefined
      })
      return value
    },
  }
}

/** What is as it is, as the credentials of somebody's own file. */
export function given<T>(value: T): Renewed<T> {
  return { current: async () => value }
}

/** What is read out of another, again each time that it is another. */
export function derived<S, T>(source: Renewed<S>, read: (value: S) => Promise<T>): Renewed<T> {
  let last: { readonly from: S; readonly value: Promise<T> } | undefined
  return {
    async current() {
      const from = await source.current()
      if (last === undefined || last.from !== from) last = { from, value: read(from) }
      return last.value
    },
  }
}
