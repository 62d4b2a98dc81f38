import { createRegistry, toJson } from '@bufbuild/protobuf'
import { anyUnpack } from '@bufbuild/protobuf/wkt'
import type { Json } from '../../lib/json.ts'
import {
  AddressEventSchema,
  ConfigLoadErrorEventSchema,
  ConfigValidationErrorEventSchema,
  type Event,
  MachineStatusEventSchema,
  PhaseEventSchema,
  RestartEventSchema,
  SequenceEventSchema,
  ServiceStateEventSchema,
  TaskEventSchema,
} from '../../talos/api/gen/machine/machine_pb.js'

/** Something that happened on a node. */
export interface EventFacts {
  readonly id: string
  /** Of the call that caused it; empty for what happens by itself. */
  readonly actor: string
  /** `ServiceStateEvent`. */
  readonly type: string
  readonly data: Json
}

const schemas = createRegistry(
  AddressEventSchema,
  ConfigLoadErrorEventSchema,
  ConfigValidationErrorEventSchema,
  MachineStatusEventSchema,
  PhaseEventSchema,
  RestartEventSchema,
  SequenceEventSchema,
  ServiceStateEventSchema,
  TaskEventSchema,
)

/** What an event says; undefined for the empty one that a stream begins with. */
export function eventFacts({ id, actorId, data }: Event): EventFacts | undefined {
  if (data === undefined || data.typeUrl === '') return undefined
  const name = data.typeUrl.split('/').at(-1) ?? ''
  // Talos's own prefix (`talos/runtime/`) has two parts, of which the library knows one.
  const message = anyUnpack({ ...data, typeUrl: `type.googleapis.com/${name}` }, schemas)
  const schema = message && schemas.getMessage(message.$typeName)
  return {
    id,
    actor: actorId,
    type: name.split('.').at(-1) ?? name,
    data: schema && message ? toJson(schema, message) : null,
  }
}
