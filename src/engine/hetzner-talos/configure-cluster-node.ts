import type { Clock } from '../../lib/clock.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import type { ClusterNode } from '../../plan/cluster-node.ts'
import type { ClusterAccess, NodeAddress } from '../../run/hetzner-talos/cluster-access.ts'
import type { NodeAddresses } from '../../run/hetzner-talos/node-addresses.ts'
import type { StateRecorder } from '../../run/state-recorder.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import type { NamedSecrets } from '../../spec/secret-reference.ts'
import { talosApi } from '../../talos/api/talos-api.ts'
import type { ApplyLeave } from '../../talos/apply-to-configured.ts'
import { askAny } from '../../talos/ask-any.ts'
import { configMarks } from '../../talos/config/config-digest.ts'
import type { DecidedAddresses } from '../../talos/config/config-input.ts'
import { generateMachineConfig } from '../../talos/config/machine-config.ts'
import { schematicOf } from '../../talos/config/schematic.ts'
import type { SecretsBundle } from '../../talos/config/secrets-bundle.ts'
import { configureNode } from '../../talos/configure-node.ts'
import { isMemberOf, type MemberName } from '../../talos/etcd/etcd-member.ts'
import { removeEtcdMember } from '../../talos/etcd/remove-etcd-member.ts'

export interface ConfigureClusterNodeOptions {
  /** The spec as it applies to this node: with the version that it runs. */
  readonly spec: ClusterSpec
  readonly node: ClusterNode
  readonly secrets: SecretsBundle
  /** Values of the secrets that the spec refers to. */
  readonly named: NamedSecrets
  readonly decided: DecidedAddresses
  readonly access: ClusterAccess
  readonly addresses: NodeAddresses
  readonly recorder: StateRecorder
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly progress: PhaseProgress
  /** Whether a node that runs may reboot for it, where it must; it may unless this says otherwise. */
  readonly mode?: ApplyLeave | undefined
  /** Done before a node that is in maintenance, and so is empty, gets its config; may be repeated. */
  readonly beforeHandOver?: (() => Promise<unknown>) | undefined
  /** Of a node that was just upgraded: what it ran before. */
  readonly formerTalosVersion?: string | undefined
  /** Done once the node has it, and before it is recorded: nothing is where this throws. */
  readonly afterHandOver?: (() => Promise<unknown>) | undefined
}

/**
 * Gives a node the machine config that the spec asks for, whatever state it is in, and records it.
 * Returns whether the node rebooted. May be repeated after a stop anywhere.
 */
export async function configureClusterNode(options: ConfigureClusterNodeOptions): Promise<boolean> {
  const { spec, node, secrets, named, decided, access, addresses, recorder, progress } = options
  const { formerTalosVersion } = options
  const input = { spec, node, secrets, addresses: decided }
  const config = generateMachineConfig({ ...input, named })
  const { address, serverId, publicIp } = addresses.of(node.name)
  const { fresh, rebooted, warnings } = await configureNode({
    name: node.name,
    address,
    config,
    credentials: await access.credentials(),
    mode: options.mode,
    clock: options.clock,
    signal: options.signal,
    onPending: (reason) => progress.step(`${node.name}: ${reason}`),
    beforeHandOver: options.beforeHandOver,
  })
  for (const warning of warnings) progress.step(`${node.name} warns: ${warning}`)
  await options.afterHandOver?.()
  recorder.recordNode(
    `Configure ${node.name}`,
    {
      name: node.name,
      role: node.role,
      pool: node.pool,
      slot: node.slot,
      privateIp: node.privateIp,
      location: node.location,
      serverId,
      leavingServerId: undefined,
      publicIp,
      talosVersion: spec.talos.version,
      schematic: schematicOf(spec),
      kubernetesVersion: spec.kubernetes.version,
      components: spec.kubernetes.components,
      ...(fresh && { arriving: undefined, formerTalosVersion: undefined, installing: undefined }),
      ...(formerTalosVersion !== undefined && { formerTalosVersion, installing: undefined }),
      ...configMarks(spec, node),
    },
    { text: generateMachineConfig({ ...input, named: 'as references' }) },
  )
  return rebooted
}

/**
 * A control plane that is recreated under an old name: the member that its predecessor left in etcd
 * goes first, by its id, or the new one could not join and the dead one would go on counting. To be
 * called only for a node that is known to be empty: a member of this name that lives would be lost.
 */
export async function dropFormerMember(
  node: MemberName,
  staying: readonly NodeAddress[],
  access: ClusterAccess,
): Promise<boolean> {
  const [first, ...others] = staying.filter(({ name }) => name !== node.name)
  if (!first) return false
  const controlPlanes = access.controlPlanes([first, ...others])
  const { members } = await askAny(controlPlanes, (client) =>
    talosApi(client).machine.etcdMemberList(),
  )
  const former = members.find((member) => isMemberOf(member, node))
  return former ? removeEtcdMember(controlPlanes, former.id) : false
}
