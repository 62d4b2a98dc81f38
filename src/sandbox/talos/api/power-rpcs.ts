import { randomUUID } from 'node:crypto'
import { status } from '@grpc/grpc-js'
import {
  MachineService,
  type ResetRequest,
  type UpgradeRequest,
  ResetRequest_WipeMode as WipeMode,
} from '../../../talos/api/gen/machine/machine_pb.js'
import { EtcdRefused, noLeader } from '../etcd.ts'
import { findInstaller, install, rollBack } from '../installer.ts'
import { judgeAct, judgeDown } from '../judge-acts.ts'
import { pause } from '../pause.ts'
import { goDown, reboot } from '../power.ts'
import type { TalosNode } from '../talos-node.ts'
import { type Call, type Rpc, RpcError, unary } from './rpc.ts'

const { method } = MachineService

export const powerRpcs: readonly Rpc[] = [
  unary(method.reboot, (_request, call) => {
    const { node, afterAnswer } = call
    const actorId = randomUUID()
    judgeDown(call, 'the reboot')
    afterAnswer(() => reboot(node, actorId))
    return { messages: [{ actorId }] }
  }),
  unary(method.shutdown, (_request, call) => {
    const { node, afterAnswer } = call
    const actorId = randomUUID()
    judgeDown(call, 'the shutdown')
    afterAnswer(() =>
      goDown({ node, sequence: 'shutdown', stage: 'shutting down', actorId, end: 'shutdown' }),
    )
    return { messages: [{ actorId }] }
  }),
  unary(method.rollback, (_request, call) => {
    const { node, afterAnswer } = call
    if (!rollBack(node)) throw new RpcError(status.UNKNOWN, 'cannot rollback, no previous label')
    judgeDown(call, 'the rollback')
    afterAnswer(() => reboot(node, ''))
    return { messages: [{}] }
  }),
  unary(method.reset, async (request, call) => ({
    messages: [{ actorId: await reset(request, call) }],
  })),
  unary(method.upgrade, async (request, call) => {
    const actorId = await upgrade(request, call)
    return { messages: [{ ack: 'Upgrade request received', actorId }] }
  }),
]

/** Partitions that can be wiped by their label. */
const partitions = ['EPHEMERAL', 'STATE', 'META']

async function reset(request: ResetRequest, call: Call): Promise<string> {
  const { node, afterAnswer } = call
  const actorId = randomUUID()
  for (const device of request.userDisksToWipe) {
    const problem = `reset user disk failed: device ${device} wasn't found`
    throw new RpcError(status.UNKNOWN, problem)
  }
  for (const { label } of request.systemPartitionsToWipe) {
    if (partitions.includes(label)) continue
    const problem = `failed to get volume status with label "${label}": resource VolumeStatuses.block.talos.dev(runtime/${label}@undefined) doesn't exist`
    throw new RpcError(status.UNKNOWN, problem)
  }
  if (node.etcd.data !== undefined) await judgeAct(call, 'wipe')
  judgeDown(call, 'the reset', true)
  afterAnswer(() =>
    goDown({
      node,
      sequence: 'reset',
      stage: 'resetting',
      actorId,
      ...(request.graceful ? { first: () => leaveEtcd(node) } : {}),
      work: () => wipe(node, request),
      end: request.reboot ? 'reboot' : 'shutdown',
    }),
  )
  return actorId
}

function leaveEtcd(node: TalosNode): string | undefined {
  try {
    node.etcd.leave()
    return undefined
  } catch (error) {
    if (!(error instanceof EtcdRefused)) throw error
    return `failed to leave etcd: ${error.message}`
  }
}

async function wipe(node: TalosNode, request: ResetRequest): Promise<undefined> {
  if (request.mode === WipeMode.USER_DISKS) return undefined
  const { disk } = node.machine
  if (request.systemPartitionsToWipe.length === 0) {
    // The whole disk: nothing boots from it any more.
    node.etcd.wipe()
    disk.state.clear()
    disk.image = { kind: 'garbage' }
    return undefined
  }
  for (const { label, wipe: wanted } of request.systemPartitionsToWipe) {
    if (!wanted) continue
    if (label === 'STATE') node.configs.wipe()
    if (label === 'EPHEMERAL') node.etcd.wipe()
  }
  return undefined
}

/** The node's own way to upgrade, up to Talos 1.17: it checks etcd, installs and reboots by itself. */
async function upgrade(request: UpgradeRequest, call: Call): Promise<string> {
  const { node, afterAnswer } = call
  const { image, force } = request
  const actorId = randomUUID()
  const installer = findInstaller(image)
  if (installer === undefined) {
    throw new RpcError(
      status.UNKNOWN,
      `error validating installer image "${image}": failed to pull image "${image}": ${image}: not found`,
    )
  }
  await pause(node, 'image-pull')
  if (node.config?.controlPlane && !force) checkEtcd(node)
  await judgeAct(call, 'upgrade')
  judgeDown(call, 'the upgrade')
  afterAnswer(() =>
    goDown({
      node,
      sequence: 'upgrade',
      stage: 'upgrading',
      actorId,
      work: async () => {
        await pause(node, 'install')
        const failure = install(node, installer)
        if (failure === undefined) return undefined
        return `task upgrade failed: exit code ${failure.exitCode}: ${failure.problem}`
      },
      end: 'reboot',
    }),
  )
  return actorId
}

/** Facts: the etcd checks of the old upgrade method; talos.md 4.6. */
function checkEtcd(node: TalosNode): void {
  const problem = etcdProblem(node)
  if (problem === undefined) return
  throw new RpcError(status.UNKNOWN, `error validating etcd for upgrade: ${problem}`)
}

function etcdProblem(node: TalosNode): string | undefined {
  const etcd = node.etcd.data?.etcd
  if (etcd === undefined || !etcd.quorum) return noLeader
  const members = [...etcd.members.values()]
  if (members.length === 2) {
    return 'etcd member count(2) is insufficient to maintain quorum if upgrade commences'
  }
  const all = 'all members must be'
  for (const { id, hostname } of members) {
    const member = `etcd member ${id.toString(16).padStart(16, '0')}`
    if (hostname === '') return `${member} is not started, ${all} running to perform an upgrade`
    if (!etcd.isStarted(id)) {
      return `${member} is not healthy; ${all} healthy to perform an upgrade: context deadline exceeded`
    }
  }
  return undefined
}
