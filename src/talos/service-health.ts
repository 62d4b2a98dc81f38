import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { ServiceInfo } from './api/gen/machine/machine_pb.js'
import type { ComponentProblem } from './static-pod-health.ts'

/** After how many failed starts a service that is started again and again is given up. */
const failuresToGiveUp = 3
const slackMs = 2_000

/**
 * What is wrong with a service of Talos: it does not run, its health check fails, or it has not been started
 * since what it runs with was decided (`since`, in the node's milliseconds). Pure.
 */
export function serviceProblem(
  service: ServiceInfo,
  since: number | undefined,
): ComponentProblem | undefined {
  const { id, state, health } = service
  const events = (service.events?.events ?? []).map(({ msg, state: was, ts }) => ({
    msg,
    was,
    at: ts ? timestampMs(ts) : 0,
  }))
  const last = events.at(-1)
  const pending = (reason: string) => ({ component: id, reason, isFinal: false })
  if (state !== 'Running') {
    const failures = events.filter(
      ({ msg, at }) => /going to restart forever|failed/i.test(msg) && at >= (since ?? 0),
    )
    const isFinal = failures.length >= failuresToGiveUp
    return { component: id, reason: reasonOf(last?.msg) || `it is ${state.toLowerCase()}`, isFinal }
  }
  const startedAt = events.filter(({ was }) => was === 'Running').at(-1)?.at
  if (since !== undefined && startedAt !== undefined && startedAt < since - slackMs) {
    return pending('it still runs with its former config')
  }
  if (health === undefined || health.unknown) {
    return pending('its health endpoint has not been asked yet')
  }
  return health.healthy ? undefined : pending(health.lastMessage || 'its health check fails')
}

/** What Talos says of a service that ended, without the end of its log, which is told by itself. */
function reasonOf(message = ''): string {
  return message.replace(/ \(last log ".*$/s, '')
}
