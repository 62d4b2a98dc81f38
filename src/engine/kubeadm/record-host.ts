import type { InventoryHost, InventoryNode } from '../../plan/inventory.ts'
import type { HostsView } from '../../planner/kubeadm/hosts-view.ts'
import type { StateRecorder } from '../../run/state-recorder.ts'
import type { HostSpec } from '../../spec/hosts/hosts-spec.ts'
import { recordLogin } from '../../spec/hosts/recorded-login.ts'

/** Notes what is known of a host of the file, beside what was known before. */
export function recordHost(
  recorder: StateRecorder,
  view: HostsView,
  host: HostSpec,
  facts: Partial<InventoryHost>,
  { kubernetesVersion }: { readonly kubernetesVersion?: string | undefined } = {},
): void {
  const { name, address, login, onRemove } = host
  const former = recorder.inventory.nodes.find((node) => node.name === name)
  const place = view.nodes.find((node) => node.name === name)
  if (!place) throw new Error(`${name} is no host of the file`)
  const node: InventoryNode = {
    ...former,
    name,
    role: place.role,
    pool: place.pool,
    slot: place.slot,
    privateIp: place.privateIp,
    ...(kubernetesVersion !== undefined && { kubernetesVersion }),
    host: { ...former?.host, address, login: recordLogin(login), onRemove, ...facts },
  }
  recorder.recordNode(`Note ${name}`, node)
}
