import type { FileForm } from './file-form.ts'
import { FileShape } from './file-shape.ts'
import { type ClusterFile, clusterFileSchema } from './schema.ts'

/** The files of clusters on Hetzner with Talos. */
export const clusterFileForm: FileForm<ClusterFile> = {
  schema: clusterFileSchema,
  shape: new FileShape(clusterFileSchema),
  standIns: [
    ['clusterName', 'cluster'],
    ['hetzner', {}],
    ['hetzner.region', 'fsn1'],
    ['nodes', {}],
    ['nodes.controlPlane', {}],
    ['nodes.controlPlane.type', 'cx23'],
    ['nodes.workers.count', 0],
    ['nodes.workers.type', 'cx23'],
    ['nodes.workers.*.count', 0],
    ['nodes.workers.*.type', 'cx23'],
    ['nodes.workers.*.name', 'pool'],
    ['talos', {}],
    ['talos.version', 'v1.9.0'],
    ['kubernetes', {}],
    ['kubernetes.version', '1.32.0'],
  ],
}
