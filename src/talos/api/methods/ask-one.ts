import type { DescMethodUnary, Message, MessageInitShape } from '@bufbuild/protobuf'
import type { GenMessage } from '@bufbuild/protobuf/codegenv2'
import type { Metadata } from '../gen/common/common_pb.js'
import { onlyMessage } from '../node-answers.ts'
import type { CallOptions, TalosCaller } from '../talos-caller.ts'

/** One node's part of an answer. */
type Item = { readonly metadata?: Metadata | undefined }

/**
 * Puts a call whose answer has one message per node, to one node, and returns that message. What the
 * node says failed is thrown like any other failure.
 */
export async function askOne<I extends Message, T extends Item>(
  caller: TalosCaller,
  method: DescMethodUnary<GenMessage<I>, GenMessage<Message & { messages: T[] }>>,
  request: MessageInitShape<GenMessage<I>>,
  options?: CallOptions,
): Promise<T> {
  const { messages } = await caller.unary(method, request, options)
  return onlyMessage(messages, { method: method.name, address: caller.address })
}
