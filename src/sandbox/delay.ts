/** A stretch of time that the world took: what no client could have made shorter. */
export interface Delay {
  /** An action's command (`create_server`), or the name of a latency or pause (`boot-talos`). */
  readonly what: string
  /** To whom: a server's, node's or resource's name; empty where it concerns none. */
  readonly target: string
  /** What else tells it apart: the pod that started. */
  readonly subject?: string
  /** The world's instant at which it began, in milliseconds. */
  readonly at: number
  readonly ms: number
}
