import { parseDocument } from 'yaml'
import type { SimHosts } from '../../src/sandbox/hosts/start-hosts.ts'

/** The names of the hosts of a cluster file. */
export function hostNames(text: string): string[] {
  const file = parseDocument(text)
  const names: string[] = []
  while (file.hasIn(['hosts', names.length])) {
    names.push(String(file.getIn(['hosts', names.length, 'name'])))
  }
  return names
}

/**
 * A cluster file with simulated hosts in the place of its own, which have the same names: other addresses, host keys, port
 * and virtual IP, and nothing else is different.
 */
export function placeOnHosts(text: string, hosts: SimHosts): string {
  const file = parseDocument(text)
  for (const [index, name] of hostNames(text).entries()) {
    const { host, hostKey } = hosts.host(name)
    file.setIn(['hosts', index, 'address'], host.address)
    file.setIn(['hosts', index, 'hostKey'], hostKey)
  }
  file.setIn(['ssh', 'port'], hosts.port)
  file.setIn(['kubeadm', 'endpoint', 'virtualIp', 'address'], hosts.virtualIp)
  return file.toString({ lineWidth: 0 })
}
