import type { TLSSocket } from 'node:tls'
import { isInForce } from '../../pki.ts'
import { ApiError } from '../model/api-error.ts'
import type { ApiUser } from './api-request.ts'

/**
 * Who shows a client certificate of the cluster's CA that is in force at this request; anybody else is nobody,
 * with 401.
 */
export function authenticate(socket: TLSSocket, now: number): ApiUser {
  if (!socket.authorized || !isInForce(socket.getPeerCertificate(), now))
    throw new ApiError(401, 'Unauthorized', 'Unauthorized')
  const { CN, O } = socket.getPeerCertificate().subject
  const organizations: readonly string[] = O === undefined ? [] : [O].flat()
  return { name: String(CN), groups: [...organizations, 'system:authenticated'] }
}

export function isAdmin({ groups }: ApiUser): boolean {
  return groups.includes('system:masters')
}
