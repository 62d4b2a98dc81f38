import {
  SequenceEvent_Action as Action,
  MachineStatusEventSchema,
  SequenceEventSchema,
  MachineStatusEvent_MachineStage as Stage,
} from '../../talos/api/gen/machine/machine_pb.js'
import type { TalosNode } from './talos-node.ts'
import { type UnmetCondition, unmetConditions } from './unmet-conditions.ts'

export type StageName =
  | 'booting'
  | 'maintenance'
  | 'running'
  | 'rebooting'
  | 'shutting down'
  | 'resetting'
  | 'upgrading'

const stages: Readonly<Record<StageName, Stage>> = {
  booting: Stage.BOOTING,
  maintenance: Stage.MAINTENANCE,
  running: Stage.RUNNING,
  rebooting: Stage.REBOOTING,
  'shutting down': Stage.SHUTTING_DOWN,
  resetting: Stage.RESETTING,
  upgrading: Stage.UPGRADING,
}

/** Where a node is between power on and power off, and what it still waits for. */
export class MachineStage {
  readonly #node: TalosNode
  name: StageName = 'booting'
  #published = ''

  constructor(node: TalosNode) {
    this.#node = node
  }

  get isGoingDown(): boolean {
    return !['booting', 'maintenance', 'running'].includes(this.name)
  }

  get unmet(): UnmetCondition[] {
    return unmetConditions(this.#node, this.name)
  }

  enter(name: StageName, actorId = ''): void {
    this.name = name
    this.#publish(actorId)
    this.#node.resources.refresh()
  }

  beginBoot(): void {
    this.sequence('boot', Action.START)
    this.enter('booting')
  }

  /** A sequence of Talos starts or stops; `error` says that it failed. */
  sequence(sequence: string, action: Action, actorId = '', error?: string): void {
    this.#node.events.publish(
      SequenceEventSchema,
      { sequence, action, ...(error === undefined ? {} : { error: { message: error } }) },
      actorId,
    )
  }

  /** Booted as soon as the services that it waits for are up; then it tells when it is ready. */
  reconcile(): void {
    const { etcd, config, kubelet } = this.#node
    const booted = kubelet.healthy && (!config?.controlPlane || etcd.state === 'running')
    if (this.name === 'booting' && booted) {
      this.sequence('boot', Action.STOP)
      this.name = 'running'
    }
    this.#publish('')
  }

  #publish(actorId: string): void {
    const unmetConditions = this.unmet
    const text = `${this.name} ${JSON.stringify(unmetConditions)}`
    if (text === this.#published) return
    this.#published = text
    this.#node.events.publish(
      MachineStatusEventSchema,
      {
        stage: stages[this.name],
        status: { ready: unmetConditions.length === 0, unmetConditions },
      },
      actorId,
    )
  }
}
