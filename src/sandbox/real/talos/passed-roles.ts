import type { IncomingHttpHeaders } from 'node:http2'

const rolesHeader = 'talos-role'

/**
 * A control plane that passes a call on shows its own certificate, whose role lets it say whose call it is:
 * the roles of that caller, and the headers that tell the node so. Facts: Talos's own middleware.
 */
export function passedRoles(
  shown: ReadonlySet<string>,
  headers: IncomingHttpHeaders,
): { readonly roles: ReadonlySet<string>; readonly headers: Readonly<Record<string, string>> } {
  if (!shown.has('os:impersonator')) return { roles: shown, headers: {} }
  const told = String(headers[rolesHeader] ?? '')
  const roles = told.split(',').map((role) => role.trim())
  return { roles: new Set(roles), headers: { [rolesHeader]: told } }
}
