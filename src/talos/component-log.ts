import { isClusterError } from '../lib/cluster-error.ts'
import type { Redactor } from '../lib/redactor.ts'
import { talosApi } from './api/talos-api.ts'
import type { TalosCaller } from './api/talos-caller.ts'
import { isStaticComponent, staticPodState } from './node-health.ts'
import { containerOf } from './static-pod-health.ts'

/** How many lines of a log are told, and how much of each. */
const lines = 12
/** How many are read of a service's: some write how they are to be called below what is wrong. */
const readLines = 80
const longest = 300

/**
 * The end of what a component on a node logged: of the instance that ended last, where one did. Foreign text,
 * on lines of their own without control characters and secrets; empty where the node does not report it.
 */
export async function componentLogEnd(
  client: TalosCaller,
  {
    component,
    node,
    redactor,
  }: { readonly component: string; readonly node: string; readonly redactor: Redactor },
): Promise<readonly string[]> {
  if (!isStaticComponent(component)) return lastLines(await serviceLog(client, component), redactor)
  for (const id of await containersOf(client, component, node)) {
    const log = lastLines(await containerLog(client, id), redactor)
    if (log.length > 0) return log
  }
  return []
}

/**
 * A component's containers as Talos names them, by how much their logs hold: the one that the pod's status says ended
 * last, the others that ended, the rest. A kubelet removes an ended one while the next starts, and its status follows
 * later: the first one may be gone.
 */
async function containersOf(
  client: TalosCaller,
  component: Parameters<typeof staticPodState>[1],
  node: string,
): Promise<readonly string[]> {
  const [containers, state] = await Promise.all([
    orUndefined(async () => (await talosApi(client).machine.containers('k8s.io')).containers),
    orUndefined(() => staticPodState(client, component, node)),
  ])
  const ended = containerOf(state?.status)?.endedId.replace(/^.*:\/\//, '')
  const rank = ({ internalId, status }: { internalId: string; status: string }) => {
    if (internalId !== '' && internalId === ended) return 0
    return /EXITED/.test(status) ? 1 : 2
  }
  return (containers ?? [])
    .filter(({ podId, name }) => podId === `kube-system/${component}-${node}` && name === component)
    .toSorted((one, other) => rank(one) - rank(other))
    .map(({ id }) => id)
}

async function serviceLog(client: TalosCaller, service: string): Promise<string> {
  const text = await orUndefined(() =>
    collect(talosApi(client).machine.logs(service, { tailLines: readLines })),
  )
  return withoutUsage(text ?? '')
}

/** What stands above the last lines on how to call a program; all of it where nothing does. */
function withoutUsage(text: string): string {
  const above = text.slice(0, Math.max(text.lastIndexOf('Usage:\n'), 0)).trimEnd()
  return above === '' ? text : above
}

async function containerLog(client: TalosCaller, id: string): Promise<string> {
  const text = await orUndefined(() =>
    collect(talosApi(client).machine.logs(id, { space: 'k8s.io', tailLines: lines })),
  )
  return text ?? ''
}

/** What a node answered; undefined where it did not. */
async function orUndefined<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (!isClusterError(error)) throw error
    return undefined
  }
}

async function collect(pieces: AsyncIterable<{ readonly bytes: Uint8Array }>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const { bytes } of pieces) text += decoder.decode(bytes, { stream: true })
  return text
}

/**
 * The last lines of a text that somebody else wrote, each short and without what a terminal would obey. Secrets are
 * taken out before anything is cut: of one that is cut the rest would be shown.
 */
export function lastLines(text: string, redactor: Redactor): string[] {
  return (
    redactor
      .redact(text)
      .split('\n')
      .map((line) => line.replace(/\p{C}/gu, ' ').trimEnd())
      // A runner takes this for a command wherever it stands.
      .map((line) => line.replaceAll('##[', '## ['))
      .filter((line) => line !== '')
      .slice(-lines)
      .map((line) => (line.length > longest ? `${line.slice(0, longest)}…` : line))
  )
}
