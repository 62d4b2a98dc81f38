import type { JsonObject } from '../../src/lib/json.ts'

/** A cluster file of `nodes` nodes with everything switched on: one control plane of three nodes, three of more. JSON is YAML. */
export function benchCluster(nodes: number, recipient: string): string {
  const controlPlanes = nodes > 3 ? 3 : 1
  const document: JsonObject = {
    clusterName: 'demo',
    hetzner: { region: 'hel1' },
    nodes: {
      controlPlane: { count: controlPlanes, type: 'cx23' },
      workers: { count: nodes - controlPlanes, type: 'cx33' },
    },
    talos: { version: 'v1.13.9' },
    kubernetes: { version: '1.36.3' },
    state: { recipients: [recipient] },
  }
  return `${JSON.stringify(document, null, 2)}\n`
}
