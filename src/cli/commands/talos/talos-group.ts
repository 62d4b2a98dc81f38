import type { CommandGroup } from '../../command.ts'

/** The word that the verbs stand below: all that the start of the command knows of them. */
export const talosGroup: CommandGroup = {
  name: 'talos',
  description: 'talk to the nodes: services, logs, etcd, files, health, ...',
  examples: [
    { purpose: 'services of every node', line: 'services' },
    { purpose: 'the log of one, as it is written', line: 'logs kubelet -f -n demo-workers-1' },
    { purpose: 'check the health of the cluster', line: 'health' },
    { purpose: 'with credentials of your own', line: 'get members --talosconfig talosconfig' },
  ],
}
