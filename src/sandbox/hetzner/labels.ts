export type Labels = Record<string, string>

/** What every resource of a project has. Instants are the world's, in milliseconds. */
export interface Labelled {
  readonly id: number
  name: string
  labels: Labels
  readonly created: number
}

/** A time as Hetzner writes it: RFC 3339 in UTC, whole seconds. */
export function formatTime(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`
}
