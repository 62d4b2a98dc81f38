import { type Event, MachineService } from '../../../talos/api/gen/machine/machine_pb.js'
import { type Rpc, serverStream } from './rpc.ts'
import { streamOf } from './stream-of.ts'

export const eventRpcs: readonly Rpc[] = [
  serverStream(MachineService.method.events, async function* (request, { node, signal }) {
    const { tailEvents: tail, tailId: afterId, withActorId: actorId, tailSeconds } = request
    // An empty event says that the stream has started.
    yield { data: { typeUrl: '', value: new Uint8Array() }, actorId }
    const past = node.events.past({ tail: tail || (tailSeconds > 0 ? -1 : 0), afterId, actorId })
    const live = streamOf<Event>((push) => {
      for (const event of past) push(event)
      return node.events.watch(push)
    }, signal)
    for await (const event of live) {
      if (actorId === '' || event.actorId === actorId) yield event
    }
  }),
]
