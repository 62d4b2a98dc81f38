import type { IncomingHttpHeaders } from 'node:http2'

const rolesHeader = 'talos-role'

/** Whose call it is, and whether another node passes it on. */
export interface PassedRoles {
  readonly roles: ReadonlySet<string>
  /** What tells the node whose it is. */
  readonly headers: Readonly<Record<string, string>>
  readonly passedOn: boolean
}

/**
 * A control plane that passes a call on shows its own certificate, whose role lets it say whose call it is.
 * Facts: Talos's own middleware.
 */
export function passedRoles(shown: ReadonlySet<string>, headers: IncomingHttpHeaders): PassedRoles {
  if (!shown.has('os:impersonator')) return { roles: shown, headers: {}, passedOn: false }
  const listed = String(headers[rolesHeader] ?? '')
  const roles = listed.split(',').map((role) => role.trim())
  return { roles: new Set(roles), headers: { [rolesHeader]: listed }, passedOn: true }
}
