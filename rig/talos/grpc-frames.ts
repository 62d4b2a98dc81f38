/** gRPC's own framing of messages on a stream: a flag for compression, four bytes of length, the message. */
const headerBytes = 5

export function frame(message: Uint8Array): Buffer {
  const header = Buffer.alloc(headerBytes)
  header.writeUInt32BE(message.length, 1)
  return Buffer.concat([header, message])
}

/** The messages in what was read of a stream. Throws where it is cut off or compressed, which none here is. */
export function unframe(bytes: Buffer): Buffer[] {
  const messages: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    if (bytes.length < at + headerBytes || bytes[at] !== 0) throw new Error('no gRPC message')
    const end = at + headerBytes + bytes.readUInt32BE(at + 1)
    if (bytes.length < end) throw new Error('a gRPC message is cut off')
    messages.push(bytes.subarray(at + headerBytes, end))
    at = end
  }
  return messages
}
