import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { SecretsBundle } from '../../../src/talos/config/secrets-bundle.ts'
import { formatSecretsBundle } from '../../../src/talos/config/secrets-bundle-yaml.ts'
import { buildGo } from '../build-go.ts'
import { collect } from './collect.ts'

/** What the server tells of one call. */
export interface PeerCall {
  readonly method: string
  readonly roles: readonly string[]
  readonly header: Readonly<Record<string, string>>
  readonly requests: readonly unknown[]
  /** Bytes of fields that Talos does not know. */
  readonly unknown: number
  readonly answers: readonly unknown[]
  /** Whether the client ended it. */
  readonly cancelled: boolean
}

/** A Talos API whose every method answers, made of Talos's own Go definitions. */
export interface ApiServer extends AsyncDisposable {
  readonly port: number
  /** `machine.MachineService/Version`, ...: every method that there is. */
  readonly methods: readonly string[]
  /** The next call that was told. */
  nextCall(): Promise<PeerCall>
}

/** Starts it on loopback, with a certificate of this cluster; it wants one of its clients. */
export async function startApiServer(secrets: SecretsBundle): Promise<ApiServer> {
  const peer = spawn(await buildGo(import.meta.dirname), { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: peer.stdout })[Symbol.asyncIterator]()
  const next = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error('the API peer has ended')
    return JSON.parse(value)
  }
  peer.stdin.write(`${JSON.stringify({ op: 'serve', bundle: formatSecretsBundle(secrets) })}\n`)
  const { port, methods } = await next()
  return {
    port,
    methods,
    nextCall: next,
    async [Symbol.asyncDispose]() {
      await end(peer)
    },
  }
}

/** How long Talos's own client takes for calls of Version, one after the other over one channel, in milliseconds. */
export async function timeGoCalls(
  talosconfig: string,
  endpoint: string,
  count: number,
): Promise<number> {
  const peer = spawn(await buildGo(import.meta.dirname), { stdio: ['pipe', 'pipe', 'inherit'] })
  peer.stdin.write(`${JSON.stringify({ op: 'calls', talosconfig, endpoint, count })}\n`)
  const [line] = await collect(createInterface({ input: peer.stdout }))
  await end(peer)
  return JSON.parse(line ?? '').milliseconds
}

async function end(peer: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => peer.once('exit', resolve))
  peer.stdin?.end()
  if (peer.exitCode === null) await ended
}
