import type { Inventory, InventoryNode } from '../../plan/inventory.ts'
import type { HostLogin, HostsSpec } from '../../spec/hosts/hosts-spec.ts'
import { loginOf } from '../../spec/hosts/recorded-login.ts'
import type { ReachedHost } from './host-connections.ts'

/** A host of the file, of the state, or of both. */
export interface KnownHost extends ReachedHost {
  readonly role: 'control-plane' | 'worker' | 'gpu-worker'
  readonly nodeIp: string
}

/** The hosts of the file, and those that the state remembers and the file does not name any more. */
export function knownHosts(
  spec: Pick<HostsSpec, 'hosts'>,
  inventory: Inventory | undefined,
): KnownHost[] {
  const remembered = new Map((inventory?.nodes ?? []).map((node) => [node.name, node]))
  const ofFile = spec.hosts.map(
    ({ name, address, nodeIp, role, login }): KnownHost => ({
      name,
      address,
      nodeIp,
      role,
      login,
      recordedKey: remembered.get(name)?.host?.hostKey,
    }),
  )
  const names = new Set(ofFile.map(({ name }) => name))
  const former = [...remembered.values()].flatMap((node) =>
    names.has(node.name) ? [] : formerHost(node),
  )
  return [...ofFile, ...former]
}

function formerHost({ name, role, privateIp, host }: InventoryNode): KnownHost[] {
  if (host === undefined) return []
  const login: HostLogin | undefined = loginOf(host.login)
  if (login === undefined) return []
  return [
    { name, address: host.address, nodeIp: privateIp, role, login, recordedKey: host.hostKey },
  ]
}
