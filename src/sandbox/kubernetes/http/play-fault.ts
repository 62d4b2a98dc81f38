import type { RequestPass } from '../../request-log.ts'
import { ApiError } from '../model/api-error.ts'

/** The failure that a fault of the world stands for, as an API server would answer it. */
export function faultError(fault: RequestPass['fault']): ApiError | undefined {
  switch (fault) {
    case undefined:
      return undefined
    case 'rate-limit':
    case 'rate-limit-token':
      return new ApiError(429, 'TooManyRequests', 'Too many requests, please try again later.', {
        retryAfterSeconds: 1,
      })
    case 'conflict':
    case 'locked':
      return new ApiError(409, 'Conflict', 'the object has been modified', {})
    case 'timeout':
      return new ApiError(504, 'Timeout', 'the server was unable to return a response in time', {})
    case 'server-error':
      return new ApiError(
        500,
        'InternalError',
        'Internal error occurred: etcdserver: leader changed',
        {},
      )
    default:
      return new ApiError(503, 'ServiceUnavailable', 'apiserver not ready', {
        retryAfterSeconds: 1,
      })
  }
}
