import type { FileForm } from '../schema/file-form.ts'
import { FileShape } from '../schema/file-shape.ts'
import { type HostsFile, hostsFileSchema } from './hosts-file.ts'

/** The files of clusters on hosts that exist. */
export const hostsFileForm: FileForm<HostsFile> = {
  schema: hostsFileSchema,
  shape: new FileShape(hostsFileSchema),
  standIns: [
    ['clusterName', 'cluster'],
    ['hosts', [{ name: 'host', address: '192.0.2.1', role: 'control-plane' }]],
    ['hosts.*.name', 'host'],
    ['hosts.*.address', '192.0.2.1'],
    ['hosts.*.role', 'control-plane'],
    ['kubeadm', { endpoint: { host: 'api.example.com:6443' } }],
    ['kubeadm.endpoint', { host: 'api.example.com:6443' }],
    ['kubeadm.endpoint.virtualIp.address', '192.0.2.2'],
    ['kubernetes', {}],
    ['kubernetes.version', '1.35.0'],
  ],
}
