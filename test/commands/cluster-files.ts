import type { JsonObject } from '../../src/lib/json.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'

interface Sizes {
  readonly controlPlanes?: number
  readonly workers?: number | readonly JsonObject[]
}

/**
 * A cluster file of `demo`: by default one control plane, one worker and all addons. `more` is laid
 * over it, whole sections at a time. JSON is YAML.
 */
export function clusterFile(
  { controlPlanes = 1, workers = 1 }: Sizes = {},
  more: JsonObject = {},
): ClusterFile {
  const document = {
    clusterName: 'demo',
    hetzner: { region: 'hel1' },
    nodes: {
      controlPlane: { count: controlPlanes, type: 'cx23' },
      workers: typeof workers === 'number' ? { count: workers, type: 'cx33' } : workers,
    },
    talos: { version: 'v1.13.9' },
    kubernetes: { version: '1.36.3' },
    ...more,
  }
  return { path: 'cluster.yaml', text: JSON.stringify(document, null, 2) }
}

/** Sections of a cluster that ends with its Kubernetes API: nothing is installed into it. */
export const bare: JsonObject = {
  cni: { type: 'none' },
  addons: {
    hcloudCcm: { enabled: false },
    csrApprover: { enabled: false },
    hcloudCsi: { enabled: false },
  },
}
