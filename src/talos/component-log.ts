import { isClusterError } from '../lib/cluster-error.ts'
import { talosApi } from './api/talos-api.ts'
import type { TalosCaller } from './api/talos-caller.ts'
import { isStaticComponent, staticPodState } from './node-health.ts'
import { containerOf } from './static-pod-health.ts'

/** How many lines of a log are told, and how much of each. */
const lines = 12
const longest = 300

/**
 * The end of what a component on a node logged: of the instance that ended last, where one did. Foreign text,
 * on lines of their own without control characters; empty where the node does not tell. Not redacted.
 */
export async function componentLogEnd(
  client: TalosCaller,
  { component, node }: { readonly component: string; readonly node: string },
): Promise<readonly string[]> {
  try {
    const text = isStaticComponent(component)
      ? await containerLog(client, await endedContainer(client, component, node))
      : await collect(talosApi(client).machine.logs(component, { tailLines: lines }))
    return lastLines(text)
  } catch (error) {
    if (!isClusterError(error)) throw error
    return []
  }
}

/** Of the container that the pod's status names: Talos lists those of Kubernetes with their own ids. */
async function endedContainer(
  client: TalosCaller,
  component: Parameters<typeof staticPodState>[1],
  node: string,
): Promise<string | undefined> {
  const [{ containers }, { status }] = await Promise.all([
    talosApi(client).machine.containers('k8s.io'),
    staticPodState(client, component, node),
  ])
  const own = containers.filter(
    ({ podId, name }) => podId === `kube-system/${component}-${node}` && name === component,
  )
  const ended = containerOf(status)?.endedId.replace(/^.*:\/\//, '')
  const found = own.find(({ internalId }) => internalId !== '' && internalId === ended)
  return (found ?? own.find(({ status: state }) => /EXITED/.test(state)) ?? own[0])?.id
}

async function containerLog(client: TalosCaller, id: string | undefined): Promise<string> {
  if (id === undefined) return ''
  return collect(talosApi(client).machine.logs(id, { space: 'k8s.io', tailLines: lines }))
}

async function collect(pieces: AsyncIterable<{ readonly bytes: Uint8Array }>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const { bytes } of pieces) text += decoder.decode(bytes, { stream: true })
  return text
}

/** The last lines of a text that somebody else wrote, each short and without what a terminal would obey. */
export function lastLines(text: string): string[] {
  return (
    text
      .split('\n')
      .map((line) => line.replace(/\p{C}/gu, ' ').trimEnd())
      // A runner takes this for a command wherever it stands.
      .map((line) => line.replaceAll('##[', '## ['))
      .filter((line) => line !== '')
      .slice(-lines)
      .map((line) => (line.length > longest ? `${line.slice(0, longest)}…` : line))
  )
}
