import { randomUUID } from 'node:crypto'
import { status } from '@grpc/grpc-js'
import { RpcError } from '../../src/sandbox/talos/api/rpc.ts'
import { findInstaller, type Installer, taggedName } from '../../src/sandbox/talos/installer.ts'
import { upgradeRefusal } from '../../src/sandbox/talos/talos-version.ts'
import { ImageService } from '../../src/talos/api/gen/machine/image_pb.js'
import { LifecycleService } from '../../src/talos/api/gen/machine/lifecycle_pb.js'
import {
  MachineService,
  type ResetRequest,
  ResetRequest_WipeMode as WipeMode,
} from '../../src/talos/api/gen/machine/machine_pb.js'
import { type PlayedCall, type PlayedNode, playStream, playUnary } from './played-call.ts'

const { method } = MachineService
const partitions = ['EPHEMERAL', 'STATE', 'META']

/**
 * What Talos refuses in a container, played one level below, where the container is the machine:
 * power, installing another Talos, wiping. What Talos does before that with its services (leaving etcd)
 * is asked of the node itself.
 */
export const playedCalls: ReadonlyMap<string, PlayedCall> = new Map(
  [
    // A container's Talos says so; the machine that it stands for runs on Hetzner. Other nodes are told the
    // truth: their checks of a cluster's health leave out the disk that a container has not.
    playUnary(method.version, async (request, node) => {
      const answer = await node.ask(method.version, request)
      for (const { platform } of node.passedOn ? [] : answer.messages) {
        if (platform?.name !== 'container') continue
        platform.name = 'hcloud'
        platform.mode = 'cloud'
      }
      return answer
    }),
    playUnary(method.reboot, (_request, node) => {
      later(node, () => node.world.reboot(node.machine))
      return { messages: [{ actorId: randomUUID() }] }
    }),
    playUnary(method.shutdown, (_request, node) => {
      later(node, () => node.world.shutdown(node.machine))
      return { messages: [{ actorId: randomUUID() }] }
    }),
    playUnary(method.rollback, (_request, node) => {
      const { disk } = node.machine
      const previous = disk.state.get(previousKey)
      if (disk.image.kind !== 'talos' || typeof previous !== 'string') {
        throw new RpcError(status.UNKNOWN, 'cannot rollback, no previous label')
      }
      disk.state.set(previousKey, disk.image.version)
      disk.image = { ...disk.image, version: previous }
      later(node, () => node.world.reboot(node.machine))
      return { messages: [{}] }
    }),
    playUnary(method.reset, (request, node) => {
      refuseUnknownDisks(request)
      const actorId = randomUUID()
      later(node, () => reset(request, node))
      return { messages: [{ actorId }] }
    }),
    playUnary(method.upgrade, async ({ image, force }, node) => {
      const installer = requireInstaller(image, node, (problem) => {
        const text = `error validating installer image "${image}": ${problem}`
        return new RpcError(status.UNKNOWN, text)
      })
      if (node.controlPlane && !force) await requireEtcd(node)
      const refusal = upgradeRefusal(node.version, installer.version)
      if (refusal === undefined) {
        install(node, installer)
        later(node, () => node.world.reboot(node.machine))
      }
      return { messages: [{ ack: 'Upgrade request received', actorId: randomUUID() }] }
    }),
    playStream(LifecycleService.method.upgrade, async function* ({ containerd, source }, node) {
      const reference = source?.imageName ?? ''
      if (reference === '') {
        throw new RpcError(status.INVALID_ARGUMENT, 'installer image name is required')
      }
      const images = await node.askAll(ImageService.method.list, {
        ...(containerd && { containerd }),
      })
      const installer = requireInstaller(taggedName(reference, images), node, (problem) => {
        return new RpcError(status.INTERNAL, `upgrade failed: ${problem}`)
      })
      if (!images.some(({ name }) => name === reference)) {
        throw new RpcError(status.INTERNAL, `upgrade failed: image "${reference}": not found`)
      }
      yield message(`running Talos installer ${installer.version.tag}`)
      const refusal = upgradeRefusal(node.version, installer.version)
      if (refusal === undefined) install(node, installer)
      yield message(
        refusal === undefined
          ? `installation of ${installer.version.tag} complete`
          : `pre-flight checks failed: ${refusal}`,
      )
      yield exitCode(refusal === undefined ? 0 : 1)
    }),
    playStream(LifecycleService.method.install, async function* () {
      yield* []
      throw new RpcError(status.ALREADY_EXISTS, 'machine is already installed')
    }),
  ].map((call) => [call.path, call]),
)

const previousKey = 'real.previous'

/** After the answer is out: the connection that carries it ends with the node. */
function later(node: PlayedNode, act: () => Promise<void>): void {
  node.world.background(async () => {
    await node.world.clock.sleep(answerMs, node.world.signal)
    await act()
  })
}

const answerMs = 200

function refuseUnknownDisks(request: ResetRequest): void {
  for (const device of request.userDisksToWipe) {
    throw new RpcError(status.UNKNOWN, `reset user disk failed: device ${device} wasn't found`)
  }
  for (const { label } of request.systemPartitionsToWipe) {
    if (partitions.includes(label)) continue
    const problem = `failed to get volume status with label "${label}": resource VolumeStatuses.block.talos.dev(runtime/${label}@undefined) doesn't exist`
    throw new RpcError(status.UNKNOWN, problem)
  }
}

/** Leaves etcd first where it goes gracefully; where that fails nothing is wiped, and the node comes back. */
async function reset(request: ResetRequest, node: PlayedNode): Promise<void> {
  const { world, machine } = node
  const left = !(request.graceful && node.controlPlane) || (await leavesEtcd(node))
  if (!left) return world.reboot(machine)
  if (request.mode !== WipeMode.USER_DISKS) {
    node.wipe(request.systemPartitionsToWipe.filter(({ wipe }) => wipe).map(({ label }) => label))
  }
  return request.reboot ? world.reboot(machine) : world.shutdown(machine)
}

async function leavesEtcd(node: PlayedNode): Promise<boolean> {
  try {
    await node.ask(method.etcdForfeitLeadership, {})
    await node.ask(method.etcdLeaveCluster, {})
    return true
  } catch {
    return false
  }
}

/** Facts: the old upgrade method looks at etcd before anything else; talos.md 4.6. */
async function requireEtcd(node: PlayedNode): Promise<void> {
  const refuse = (problem: string) =>
    new RpcError(status.UNKNOWN, `error validating etcd for upgrade: ${problem}`)
  let members: number
  try {
    const { messages } = await node.ask(method.etcdMemberList, {})
    members = messages[0]?.members.length ?? 0
    await node.ask(method.etcdStatus, {})
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error))
  }
  if (members === 2) {
    throw refuse('etcd member count(2) is insufficient to maintain quorum if upgrade commences')
  }
}

function requireInstaller(
  reference: string,
  node: PlayedNode,
  refuse: (problem: string) => RpcError,
): Installer {
  const installer = findInstaller(reference)
  if (installer === undefined || !node.hasTalos(installer.version)) {
    throw refuse(`failed to pull image "${reference}": ${reference}: not found`)
  }
  return installer
}

function install({ machine: { disk } }: PlayedNode, { version, schematic }: Installer): void {
  if (disk.image.kind !== 'talos') return
  disk.state.set(previousKey, disk.image.version)
  disk.image = { ...disk.image, version: version.tag, schematic }
}

function message(value: string) {
  return { progress: { response: { case: 'message' as const, value } } }
}

function exitCode(value: number) {
  return { progress: { response: { case: 'exitCode' as const, value } } }
}
