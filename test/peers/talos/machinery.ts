import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { buildGo } from '../build-go.ts'

export interface MachineryRequest {
  readonly op:
    | 'validate'
    | 'patch'
    | 'generate'
    | 'read-bundle'
    | 'make-bundle'
    | 'bundle-of'
    | 'talosconfig-of'
  readonly config?: string
  readonly mode?: 'cloud' | 'metal'
  readonly patches?: readonly string[]
  readonly bundle?: string
  readonly cluster?: {
    readonly name?: string
    readonly endpoint?: string
    readonly kubernetesVersion?: string
    readonly contract?: string
    readonly machineType?: 'controlplane' | 'worker'
    readonly installDisk?: string
    readonly installImage?: string
    readonly sans?: readonly string[]
  }
}

export interface MachineryAnswer {
  readonly error?: string
  readonly warnings?: readonly string[]
  readonly text?: string
}

/** Talos's own Go machinery in a process of its own. */
export interface Machinery extends AsyncDisposable {
  ask(request: MachineryRequest): Promise<MachineryAnswer>
}

/**
 * Starts the peer, building it first when this machine has no build of these sources yet. Fails where
 * Go or the modules cannot be had: a peer that is not there has judged nothing.
 */
export async function startMachinery(): Promise<Machinery> {
  const peer = spawn(await buildGo(import.meta.dirname), { stdio: ['pipe', 'pipe', 'inherit'] })
  const answers = createInterface({ input: peer.stdout })[Symbol.asyncIterator]()
  let last: Promise<unknown> = Promise.resolve()
  const exchange = async (request: MachineryRequest): Promise<MachineryAnswer> => {
    peer.stdin.write(`${JSON.stringify(request)}\n`)
    const { value, done } = await answers.next()
    if (done) throw new Error('the machinery peer has ended')
    return JSON.parse(value)
  }
  return {
    ask(request) {
      const answer = last.then(() => exchange(request))
      last = answer.catch(() => undefined)
      return answer
    },
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => peer.once('exit', resolve))
      peer.stdin.end()
      await ended
    },
  }
}
