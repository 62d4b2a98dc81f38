import type { DescMethodServerStreaming, Message, MessageInitShape } from '@bufbuild/protobuf'
import type { GenMessage } from '@bufbuild/protobuf/codegenv2'
import type { Metadata } from '../gen/common/common_pb.js'
import { onlyMessage } from '../node-answers.ts'
import type { CallOptions, TalosCaller } from '../talos-caller.ts'

/**
 * Follows a stream whose items have room for who sent them. An item that says what failed, as of a path
 * that is not there, is thrown like any other failure.
 */
export async function* followOne<
  I extends Message,
  T extends Message & { readonly metadata?: Metadata | undefined },
>(
  caller: TalosCaller,
  method: DescMethodServerStreaming<GenMessage<I>, GenMessage<T>>,
  request: MessageInitShape<GenMessage<I>>,
  options?: CallOptions,
) {
  const target = { method: method.name, address: caller.address }
  for await (const item of caller.stream(method, request, options)) {
    yield options?.nodes === undefined ? onlyMessage([item], target) : item
  }
}
