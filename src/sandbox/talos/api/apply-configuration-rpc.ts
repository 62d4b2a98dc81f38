import type { MessageInitShape } from '@bufbuild/protobuf'
import { status } from '@grpc/grpc-js'
import {
  type ApplyConfigurationRequest,
  type ApplyConfigurationSchema,
  MachineService,
  ApplyConfigurationRequest_Mode as Mode,
} from '../../../talos/api/gen/machine/machine_pb.js'
import { ConfigRefused } from '../config/config-refused.ts'
import { needsReboot } from '../config/needs-reboot.ts'
import { readNodeConfig } from '../config/node-config.ts'
import { type ConfigDocuments, parseConfig } from '../config/parse-config.ts'
import { joinProblems, validateAtRuntime, validateConfig } from '../config/validate-config.ts'
import { judgeDown, judgeHandOver } from '../judge-acts.ts'
import { reboot } from '../power.ts'
import type { TalosNode } from '../talos-node.ts'
import { atLeast } from '../talos-version.ts'
import { type Call, RpcError, unary } from './rpc.ts'

type Answer = MessageInitShape<typeof ApplyConfigurationSchema>

const tryTimeoutMs = 60_000

export const applyConfigurationRpc = unary(
  MachineService.method.applyConfiguration,
  async (request, call) => {
    const { node } = call
    const answer = node.config === undefined ? applyInMaintenance : applyToRunning
    return { messages: [await answer(request, call)] }
  },
)

/** Before Talos 1.13 a service of its own answered here, with fewer modes and other words. */
function applyInMaintenance(request: ApplyConfigurationRequest, call: Call): Answer {
  const { node, afterAnswer } = call
  const old = !atLeast(node.version, 13)
  const { mode } = request
  if (old && (mode === Mode.NO_REBOOT || mode === Mode.STAGED)) {
    const name = mode === Mode.STAGED ? 'staged' : 'no-reboot'
    const problem = `apply configuration --mode='${name}' is not supported in maintenance mode`
    throw new RpcError(status.UNIMPLEMENTED, problem)
  }
  const { text, documents } = readRequest(node, request, old)
  if (request.dryRun) {
    return {
      mode: old ? Mode.REBOOT : Mode.NO_REBOOT,
      modeDetails:
        'Dry run summary:\nNode is running in maintenance mode and does not have a config yet.',
    }
  }
  // A partial config changes what maintenance mode looks like, and no more.
  if (documents.v1alpha1 === undefined) return { mode: Mode.NO_REBOOT }
  judgeHandOver(call, readNodeConfig(text, documents))
  node.configs.persist(text)
  if (!old && mode === Mode.STAGED) {
    return {
      mode,
      modeDetails: 'Staged configuration to be applied after the next reboot',
    }
  }
  afterAnswer(() => {
    node.background(async () => {
      node.configs.activate(text, documents)
      await node.leaveMaintenance()
    })
  })
  if (old) return {}
  return { mode: Mode.NO_REBOOT, modeDetails: 'Applied configuration without a reboot' }
}

function applyToRunning(request: ApplyConfigurationRequest, call: Call): Answer {
  const { node, roles } = call
  if (!roles.has('os:admin')) throw new RpcError(status.PERMISSION_DENIED, 'not authorized')
  if (request.mode === Mode.REBOOT && atLeast(node.version, 14)) {
    throw new RpcError(status.UNIMPLEMENTED, 'apply configuration --mode=reboot is not supported')
  }
  const { text, documents } = readRequest(node, request, false)
  const current = node.configs.active
  if (documents.v1alpha1 === undefined || current === undefined) {
    throw new RpcError(
      status.INVALID_ARGUMENT,
      "the applied machine configuration doesn't contain v1alpha1 config, did you mean to patch the machine config instead?",
    )
  }
  const mustReboot = needsReboot(current.documents, documents)
  const mode = effectiveMode(request.mode, mustReboot, node)
  const details = modeDetails[mode]
  if (request.dryRun) {
    const difference = current.text === text ? 'No changes.' : 'Config diff:\n\n(elided)'
    return {
      mode,
      modeDetails: `Dry run summary:\n${details} (skipped in dry-run).\n${difference}`,
    }
  }
  if (mode !== Mode.TRY) node.configs.persist(text)
  if (mode === Mode.TRY) tryOut(request, call, text, documents)
  if (mode === Mode.NO_REBOOT) activate(node, text, documents)
  if (mode === Mode.REBOOT) {
    judgeDown(call, 'the reboot for a config')
    call.afterAnswer(() => reboot(node, ''))
  }
  return { mode, modeDetails: details }
}

const modeDetails = {
  [Mode.REBOOT]: 'Applied configuration with a reboot',
  [Mode.NO_REBOOT]: 'Applied configuration without a reboot',
  [Mode.STAGED]: 'Staged configuration to be applied after the next reboot',
  [Mode.TRY]: 'Applied configuration without a reboot',
}

/**
 * What a mode comes to. Throws RpcError where the change needs a reboot that the mode forbids; since 1.14 no
 * node does, nor reboots by itself: what waits for a boot, it takes in without a word.
 */
function effectiveMode(
  mode: Mode,
  mustReboot: boolean,
  node: TalosNode,
): Exclude<Mode, typeof Mode.AUTO> {
  const judges = mustReboot && !atLeast(node.version, 14)
  if (mode === Mode.AUTO) return judges ? Mode.REBOOT : Mode.NO_REBOOT
  if (judges && (mode === Mode.NO_REBOOT || mode === Mode.TRY)) {
    throw new RpcError(
      status.INVALID_ARGUMENT,
      "this config change can't be applied in immediate mode\ndiff:\n(elided)",
    )
  }
  return mode
}

/** Applies it, and takes it back when the time is up and nothing else was applied. */
function tryOut(
  { tryModeTimeout }: ApplyConfigurationRequest,
  { node }: Call,
  text: string,
  documents: ConfigDocuments,
): void {
  const former = node.configs.active
  activate(node, text, documents)
  const tried = node.configs.active
  const timeoutMs =
    tryModeTimeout === undefined ? tryTimeoutMs : Number(tryModeTimeout.seconds) * 1_000
  node.background(async () => {
    await node.world.clock.sleep(timeoutMs, node.signal)
    if (former !== undefined && node.configs.active === tried) {
      activate(node, former.text, former.documents)
    }
  })
}

function activate(node: TalosNode, text: string, documents: ConfigDocuments): void {
  node.configs.activate(text, documents)
  node.background(() => node.configure())
}

function readRequest(
  node: TalosNode,
  { data }: ApplyConfigurationRequest,
  old: boolean,
): { text: string; documents: ConfigDocuments } {
  const text = Buffer.from(data).toString()
  const refusal = node.state.faults.configRefusal(node.name)
  if (refusal !== undefined) throw new RpcError(status.INVALID_ARGUMENT, refusal)
  const documents = parse(node, text, old)
  const problems = validateConfig(documents, node.version)
  if (problems.length > 0) throw refuse(problems, old ? 'configuration validation failed: ' : '')
  const later = validateAtRuntime(documents, node.version)
  if (later.length > 0) throw refuse(later, old ? 'runtime configuration validation failed: ' : '')
  return { text, documents }
}

function parse(node: TalosNode, text: string, old: boolean): ConfigDocuments {
  try {
    return parseConfig(text, node.version)
  } catch (error) {
    if (!(error instanceof ConfigRefused)) throw error
    throw old
      ? new RpcError(status.UNKNOWN, `failed to parse config: ${error.message}`)
      : new RpcError(status.INVALID_ARGUMENT, error.message)
  }
}

function refuse(problems: readonly string[], prefix: string): RpcError {
  return new RpcError(status.INVALID_ARGUMENT, `${prefix}${joinProblems(problems)}`)
}
