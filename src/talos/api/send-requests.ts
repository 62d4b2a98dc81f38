import {
  create,
  type DescMessage,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf'
import type { ClientWritableStream } from '@grpc/grpc-js'
import type { Requests } from './talos-caller.ts'

/**
 * Sends one message after the other, no faster than they are taken, and says then that there are no
 * more. Ends early, without a failure, when the call does.
 */
export async function sendRequests<I extends DescMessage>(
  call: Pick<ClientWritableStream<MessageShape<I>>, 'write' | 'end' | 'once' | 'destroyed'>,
  schema: I,
  requests: Requests<MessageInitShape<I>>,
): Promise<void> {
  const over = new Promise<void>((resolve) => {
    call.once('close', resolve)
    call.once('error', () => resolve())
    call.once('status', () => resolve())
  })
  let ended = false
  void over.then(() => {
    ended = true
  })
  for await (const request of requests) {
    if (ended || call.destroyed) return
    if (call.write(create(schema, request))) continue
    await Promise.race([new Promise<void>((resolve) => call.once('drain', resolve)), over])
  }
  call.end()
}
