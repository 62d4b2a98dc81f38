import type { TalosNode } from './talos-node.ts'

/**
 * What these nodes' configs ask of Kubernetes that its version skew policy does not allow: nothing may
 * be newer than the oldest API server, and API servers are one minor apart at most. A cluster may survive
 * it; whoever configures nodes like that has made a mistake.
 */
export function versionSkew(nodes: readonly TalosNode[]): string[] {
  const configured = nodes.flatMap(({ name, config }) => (config ? [{ name, config }] : []))
  const servers = configured
    .filter(({ config }) => config.controlPlane)
    .map(({ config }) => minorOf(config.apiServerVersion))
  if (servers.length === 0) return []
  const oldest = Math.min(...servers)
  const apart =
    Math.max(...servers) - oldest > 1 ? ['API servers are more than one minor apart'] : []
  const tooNew = configured.flatMap(({ name, config }) =>
    [
      { component: 'kubelet', version: config.kubeletVersion },
      ...config.staticPods.slice(1).map(({ component, image }) => ({
        component,
        version: image.slice(image.lastIndexOf(':') + 1),
      })),
    ]
      .filter(({ version }) => minorOf(version) > oldest)
      .map(
        ({ component, version }) =>
          `${component} ${version} on ${name} is newer than the oldest API server (1.${oldest})`,
      ),
  )
  return [...apart, ...tooNew]
}

function minorOf(version: string): number {
  return Number(/^v?\d+\.(\d+)/.exec(version)?.[1] ?? 0)
}
