import type { TLSSocket } from 'node:tls'
import { isInForce } from '../../pki.ts'
import { ApiError } from '../model/api-error.ts'
import type { ObjectStore } from '../model/object-store.ts'
import { objectsAt, textAt } from '../model/read-json.ts'
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

/** Everybody's master, or a member of a group that is bound to all rights. */
export function isAdmin({ groups }: ApiUser, store: ObjectStore): boolean {
  if (groups.includes('system:masters')) return true
  return store
    .list('clusterrolebindings.rbac.authorization.k8s.io')
    .filter((binding) => textAt(binding, 'roleRef', 'name') === 'cluster-admin')
    .flatMap((binding) => objectsAt(binding, 'subjects'))
    .some((subject) => subject['kind'] === 'Group' && groups.includes(textAt(subject, 'name')))
}
