import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { buildGo } from '../build-go.ts'

/** What machinery is to generate a config for. */
export interface GeneratedCluster {
  readonly bundle: string
  readonly name: string
  readonly endpoint: string
  readonly kubernetesVersion: string
  readonly contract: string
  readonly machineType: 'controlplane' | 'worker'
  readonly installDisk: string
  readonly sans: readonly string[]
}

/** Machinery of the newest Talos, which has two shapes of a config, in a process of its own. */
export interface ShapeReader extends AsyncDisposable {
  generate(cluster: GeneratedCluster): Promise<string>
  /** All that the controllers of a node can learn of a config, by the names of machinery's accessors. */
  read(config: string): Promise<Reading>
}

export type Reading = Readonly<Record<string, unknown>>

interface Answer {
  readonly error?: string
  readonly text?: string
  readonly reading?: Reading
}

/** Starts it, building it first when this machine has no build of these sources yet. One question at a time. */
export async function startShapeReader(): Promise<ShapeReader> {
  const peer = spawn(await buildGo(import.meta.dirname), { stdio: ['pipe', 'pipe', 'inherit'] })
  const answers = createInterface({ input: peer.stdout })[Symbol.asyncIterator]()
  const ask = async (question: object): Promise<Answer> => {
    peer.stdin.write(`${JSON.stringify(question)}\n`)
    const { value, done } = await answers.next()
    if (done) throw new Error('the machinery of Talos has ended')
    const answer: Answer = JSON.parse(value)
    if (answer.error !== undefined) throw new Error(answer.error)
    return answer
  }
  return {
    generate: async (cluster) => (await ask({ op: 'generate', ...cluster })).text ?? '',
    read: async (config) => (await ask({ op: 'read', config })).reading ?? {},
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => peer.once('exit', resolve))
      peer.stdin.end()
      await ended
    },
  }
}
