import type { Clock } from '../../lib/clock.ts'
import type { TalosCredentials } from '../config/talosconfig.ts'

/** Where a connection takes its credentials from, each time that it is made. */
export interface CredentialSource {
  /** The same object as long as nothing has changed. */
  current(): Promise<TalosCredentials>
}

export interface RenewalOptions {
  /** Makes new ones, good for `lifeMs` milliseconds. */
  readonly mint: () => Promise<TalosCredentials>
  readonly lifeMs: number
  /** The wall's time: what certificates are dated by. */
  readonly clock: Clock
}

/** Credentials that are minted when they are first wanted, and anew before a third of their life is left. */
export function renewedCredentials({ mint, lifeMs, clock }: RenewalOptions): CredentialSource {
  let minted: { readonly at: number; readonly credentials: Promise<TalosCredentials> } | undefined
  return {
    current() {
      if (minted !== undefined && clock.now() < minted.at + (lifeMs * 2) / 3) {
        return minted.credentials
      }
      const credentials = mint()
      const mine = { at: clock.now(), credentials }
      minted = mine
      // What could not be minted is tried again by whoever asks next.
      credentials.catch(() => {
        if (minted === mine) minted = undefined
      })
      return credentials
    },
  }
}

/** Credentials that are what they are, as those of a talosconfig. */
export function givenCredentials(credentials: TalosCredentials): CredentialSource {
  return { current: async () => credentials }
}
