import { fromBinary } from '@bufbuild/protobuf'
import {
  type Event,
  MachineStatusEventSchema,
  SequenceEvent_Action,
  SequenceEventSchema,
  ServiceStateEvent_Action,
  ServiceStateEventSchema,
} from '../../talos/api/gen/machine/machine_pb.js'
import type { LoggedEvent } from './event-log.ts'

/** What Talos writes into the kernel's log of an event; undefined for those of which it writes nothing. */
export function kernelLine({ event, at }: LoggedEvent): string | undefined {
  const text = describeEvent(event)
  return text && `user: warning: [${new Date(at).toISOString()}]: [talos] ${text}\n`
}

/** What the log of a service says of an event; undefined for those of others. */
export function serviceLine({ event, at }: LoggedEvent, id: string): string | undefined {
  if (typeOf(event) !== 'ServiceStateEvent') return undefined
  const { service, action, message } = fromBinary(ServiceStateEventSchema, bytesOf(event))
  if (service !== id) return undefined
  const state = (ServiceStateEvent_Action[action] ?? '').toLowerCase()
  return `${new Date(at).toISOString()} ${id}: ${state}: ${message}\n`
}

function describeEvent(event: Event): string | undefined {
  switch (typeOf(event)) {
    case 'ServiceStateEvent': {
      const { service, action, message } = fromBinary(ServiceStateEventSchema, bytesOf(event))
      return `service[${service}](${ServiceStateEvent_Action[action] ?? ''}): ${message}`
    }
    case 'SequenceEvent': {
      const { sequence, action, error } = fromBinary(SequenceEventSchema, bytesOf(event))
      const end = action === SequenceEvent_Action.START ? 'started' : 'done'
      return `${sequence} sequence: ${error ? `failed: ${error.message}` : end}`
    }
    case 'MachineStatusEvent': {
      const { status } = fromBinary(MachineStatusEventSchema, bytesOf(event))
      return status?.ready ? 'machine is running and ready' : 'machine is not ready'
    }
    default:
      return undefined
  }
}

function typeOf({ data }: Event): string {
  return data?.typeUrl.split('.').at(-1) ?? ''
}

function bytesOf({ data }: Event): Uint8Array {
  return data?.value ?? new Uint8Array()
}
