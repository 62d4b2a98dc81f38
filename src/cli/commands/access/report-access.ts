import { printJson } from '../../show-plan.ts'
import type { Terminal } from '../../terminal/terminal.ts'

/** Reports where credentials are that were minted, and how long they are good for. */
export function reportAccess(
  terminal: Terminal,
  {
    json,
    path,
    hours,
    more = {},
  }: {
    readonly json: boolean
    readonly path: string
    readonly hours: number
    readonly more?: { readonly role?: string }
  },
): void {
  if (json) printJson(terminal, { path, hours, ...more })
  else terminal.report(`wrote ${path}, good for ${hours === 1 ? 'an hour' : `${hours} hours`}`)
}
