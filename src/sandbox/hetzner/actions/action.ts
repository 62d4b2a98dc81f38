export interface ActionResource {
  readonly id: number
  readonly type: string
}

export interface ActionRecord {
  readonly id: number
  readonly command: string
  status: 'running' | 'success' | 'error'
  readonly started: number
  finished: number | null
  /** How long it is going to take, for its progress. */
  readonly durationMs: number
  readonly resources: readonly ActionResource[]
  error: { readonly code: string; readonly message: string } | null
}
