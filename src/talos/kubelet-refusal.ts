import { isClusterError } from '../lib/cluster-error.ts'
import { isJsonObject } from '../lib/json.ts'
import { talosApi } from './api/talos-api.ts'
import type { TalosCaller } from './api/talos-caller.ts'
import type { ComponentProblem } from './static-pod-health.ts'

/** How much of the log of Talos's controllers is looked at, in lines: some minutes of one that says a lot. */
const lines = 500
/** After how many tries Talos is taken to make nothing of it: each is the same calculation. */
const failuresToGiveUp = 3
const controller = 'k8s.KubeletSpecController'

/**
 * Why Talos has made nothing of the kubelet's settings that a machine config gave it at a time (the node's
 * milliseconds): it takes every config, keeps the kubelet of before where it cannot use one, and says so in its log
 * alone. Undefined where its last try did not fail, or the node does not report it.
 */
export async function kubeletRefusal(
  client: TalosCaller,
  since: number,
): Promise<ComponentProblem | undefined> {
  const log = await controllerLog(client)
  return log === undefined ? undefined : refusalIn(log, since)
}

/** The same out of a log. Pure. */
export function refusalIn(log: string, since: number): ComponentProblem | undefined {
  const errors = log.split('\n').filter((line) => line.includes(controller))
  // It says nothing more when it has succeeded.
  if (!errors.at(-1)?.includes('restarting controller')) return undefined
  const failures = errors.flatMap((line) => {
    const [at = '', ...rest] = line.split(' ')
    const error = line.includes('controller failed') ? errorOf(rest.join(' ')) : undefined
    return error !== undefined && Date.parse(at) >= since ? [error] : []
  })
  const last = failures.at(-1)
  const reason =
    last === undefined
      ? 'Talos has not tried to use its settings yet'
      : `Talos makes nothing of its settings, and it still runs with its former ones: ${last}`
  return { component: 'kubelet', reason, isFinal: failures.length >= failuresToGiveUp }
}

function errorOf(text: string): string | undefined {
  try {
    const errors: unknown = JSON.parse(text.slice(text.indexOf('{')))
    const error = isJsonObject(errors) ? errors['error'] : undefined
    return typeof error === 'string' ? error : undefined
  } catch {
    return undefined
  }
}

async function controllerLog(client: TalosCaller): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    const log = talosApi(client).machine.logs('controller-runtime', { tailLines: lines })
    for await (const { bytes } of log) text += decoder.decode(bytes, { stream: true })
    return text
  } catch (error) {
    if (!isClusterError(error)) throw error
    return undefined
  }
}
