import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** Seconds from 1900, where NTP begins, to 1970. */
const epoch = 2_208_988_800

/**
 * A time server (SNTP, RFC 4330) on port 123, where nodes find it at the internet's address; its clock is
 * `aheadMs` milliseconds ahead.
 */
export async function startTimeServer(aheadMs: number): Promise<AsyncDisposable> {
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => {
    const answer = Buffer.alloc(48)
    // Version 4, a server, whose own source is a reference clock.
    answer.writeUInt8(0b00_100_100, 0)
    answer.writeUInt8(1, 1)
    answer.writeInt8(-20, 3)
    const now = (Date.now() + aheadMs) / 1_000 + epoch
    for (const at of [16, 32, 40]) {
      answer.writeUInt32BE(Math.floor(now), at)
      answer.writeUInt32BE(Math.floor((now % 1) * 2 ** 32), at + 4)
    }
    question.copy(answer, 24, 40, 48)
    socket.send(answer, port, address)
  })
  socket.bind(123, '127.0.0.1')
  await once(socket, 'listening')
  return {
    async [Symbol.asyncDispose]() {
      socket.close()
      await once(socket, 'close')
    },
  }
}
