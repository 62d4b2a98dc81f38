import { create, toBinary } from '@bufbuild/protobuf'
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { MetadataSchema } from '../../../talos/api/gen/common/common_pb.js'
import type { RpcError } from './rpc.ts'

/**
 * Writes into an answer which node it came from. Every answer of a node is either an item with its
 * metadata as field 1 (in streams), or a list of such items as field 1.
 */
export function attributeAnswer(bytes: Uint8Array, hostname: string, stream: boolean): Uint8Array {
  const metadata = toBinary(MetadataSchema, create(MetadataSchema, { hostname }))
  if (stream) return withMetadata(bytes, metadata)
  const reader = new BinaryReader(bytes)
  const writer = new BinaryWriter()
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag()
    if (field !== 1 || wireType !== WireType.LengthDelimited) reader.skip(wireType, field)
    else writer.tag(1, WireType.LengthDelimited).bytes(withMetadata(reader.bytes(), metadata))
  }
  return writer.finish()
}

/** An answer that says nothing but that this node failed, and how. */
export function failureAnswer(
  hostname: string,
  { code, message }: RpcError,
  stream: boolean,
): Uint8Array {
  const metadata = create(MetadataSchema, {
    hostname,
    error: `rpc error: code = ${code} desc = ${message}`,
    status: { code, message },
  })
  const item = withMetadata(new Uint8Array(), toBinary(MetadataSchema, metadata))
  if (stream) return item
  return new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(item).finish()
}

function withMetadata(item: Uint8Array, metadata: Uint8Array): Uint8Array {
  const field = new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(metadata).finish()
  return Buffer.concat([item, field])
}
