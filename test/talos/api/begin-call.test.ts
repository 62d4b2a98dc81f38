import { EventEmitter } from 'node:events'
import { Metadata, status } from '@grpc/grpc-js'
import { expect, test } from 'vitest'
import { beginCall } from '../../../src/talos/api/begin-call.ts'
import { MachineService } from '../../../src/talos/api/gen/machine/machine_pb.js'

/** A stream that breaks with a status after what was sent. */
class BreakingStream extends EventEmitter {
  readonly #sent: readonly string[]
  readonly #headers: boolean
  readonly #code: status

  constructor(code: status, { sent = [], headers = sent.length > 0 }: Sent) {
    super()
    this.#code = code
    this.#sent = sent
    this.#headers = headers
  }

  cancel(): void {}

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    if (this.#headers) this.emit('metadata', new Metadata())
    yield* this.#sent
    throw Object.assign(new Error('it broke'), { code: this.#code, details: 'Connection dropped' })
  }
}

interface Sent {
  readonly sent?: readonly string[]
  readonly headers?: boolean
}

/** How a stream fails that was opened with a certificate which has ended meanwhile. */
async function failure(code: status, sent: Sent = {}): Promise<unknown> {
  const ends = [{ name: 'the certificate of this client', notAfter: 0 }]
  const call = beginCall(
    MachineService.method.logs,
    {},
    { address: '192.0.2.1:50000', timeoutMs: 1_000, signal: undefined, hook: undefined, ends },
  )
  try {
    for await (const _ of call.answers(new BreakingStream(code, sent)));
  } catch (error) {
    return error
  }
  return undefined
}

test('a node that hangs up on an ended certificate without a word is said to do that', async () => {
  expect(await failure(status.UNAVAILABLE)).toMatchObject({ code: 'certificate-ended' })
  expect(await failure(status.DEADLINE_EXCEEDED)).toMatchObject({ code: 'certificate-ended' })
})

test('a stream that the node had accepted does not break of the certificate that it was opened with', async () => {
  for (const sent of [{ sent: ['a line'] }, { headers: true }]) {
    expect(await failure(status.UNAVAILABLE, sent)).toMatchObject({ code: 'talos-unreachable' })
  }
})

test('nor is it for a certificate that this side hung up', async () => {
  expect(await failure(status.CANCELLED)).toMatchObject({ code: 'talos-unreachable' })
})
