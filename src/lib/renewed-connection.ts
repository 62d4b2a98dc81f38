import type { Renewed } from './renewed.ts'

/** A connection for one use: to be disposed of afterwards. */
export interface Held<T> extends Disposable {
  readonly connection: T
}

interface Open<C, T> {
  readonly credentials: C
  readonly connection: T
  uses: number
  retired: boolean
}

/**
 * A connection that is kept and used again. When its credentials have been renewed, new uses have a new
 * connection, and the old one closes after its last.
 */
export class RenewedConnection<C, T extends { close(): void }> implements Disposable {
  readonly #credentials: Renewed<C>
  readonly #connect: (credentials: C) => T
  #open: Open<C, T> | undefined
  #isClosed = false

  constructor(credentials: Renewed<C>, connect: (credentials: C) => T) {
    this.#credentials = credentials
    this.#connect = connect
  }

  async hold(): Promise<Held<T>> {
    const open = this.#openFor(await this.#credentials.current())
    open.uses++
    return {
      connection: open.connection,
      [Symbol.dispose]() {
        open.uses--
        closeIfDone(open)
      },
    }
  }

  /** Ends what is still in use, too. */
  [Symbol.dispose](): void {
    this.#isClosed = true
    this.#open?.connection.close()
    this.#open = undefined
  }

  #openFor(credentials: C): Open<C, T> {
    if (this.#open?.credentials === credentials) return this.#open
    const connection = this.#connect(credentials)
    // Who comes when it was closed has one for this use alone.
    if (this.#isClosed) return { credentials, connection, uses: 0, retired: true }
    const former = this.#open
    this.#open = { credentials, connection, uses: 0, retired: false }
    if (former) {
      former.retired = true
      closeIfDone(former)
    }
    return this.#open
  }
}

function closeIfDone<C, T extends { close(): void }>({ connection, uses, retired }: Open<C, T>) {
  if (retired && uses === 0) connection.close()
}
