/** A request to an API and its answer, as they went over the wire: with every secret in them. */
export interface HttpExchange {
  readonly front: 'hetzner' | 'github'
  readonly method: string
  /** Below the API's own address, with its query: `/servers?page=1`. */
  readonly path: string
  /** Undefined where the request had no body. */
  readonly request: string | undefined
  readonly status: number
  readonly headers: Headers
  readonly response: string
}

/** Gets each exchange that was answered, in the order of the answers. Never throws. */
export type RecordExchange = (exchange: HttpExchange) => void
