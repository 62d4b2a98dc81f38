import {
  create,
  type DescMessage,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import type { Machine } from '../../src/sandbox/machine.ts'
import { pathOf } from '../../src/sandbox/talos/api/rpc.ts'
import type { TalosVersion } from '../../src/sandbox/talos/talos-version.ts'
import type { World } from '../../src/sandbox/world.ts'

/** A real node, as the rig sees it that plays what a container refuses. */
export interface PlayedNode {
  readonly world: World
  readonly machine: Machine
  readonly version: TalosVersion
  readonly controlPlane: boolean
  /** Whether it is another node that asks, for somebody else. */
  readonly passedOn: boolean
  /** Whether the rig has this version of Talos to start. */
  hasTalos(version: TalosVersion): boolean
  /** Calls the node's own API; rejects with its words. */
  ask<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
  ): Promise<MessageShape<O>>
  /** The same for a method that answers with a stream, to its end. */
  askAll<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
  ): Promise<MessageShape<O>[]>
  /** Partitions to empty before the next boot; all of the disk where there are none. */
  wipe(partitions: readonly string[]): void
}

/** A method that the rig answers in the node's place. */
export interface PlayedCall {
  readonly path: string
  run(request: Uint8Array, node: PlayedNode): AsyncIterable<Uint8Array>
}

export function playUnary<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  answer: (
    request: MessageShape<I>,
    node: PlayedNode,
  ) => Promise<MessageInitShape<O>> | MessageInitShape<O>,
): PlayedCall {
  return {
    path: pathOf(method),
    async *run(bytes, node) {
      const answered = await answer(fromBinary(method.input, bytes), node)
      yield toBinary(method.output, create(method.output, answered))
    },
  }
}

export function playStream<I extends DescMessage, O extends DescMessage>(
  method: DescMethodServerStreaming<I, O>,
  answer: (request: MessageShape<I>, node: PlayedNode) => AsyncIterable<MessageInitShape<O>>,
): PlayedCall {
  return {
    path: pathOf(method),
    async *run(bytes, node) {
      for await (const message of answer(fromBinary(method.input, bytes), node)) {
        yield toBinary(method.output, create(method.output, message))
      }
    },
  }
}
