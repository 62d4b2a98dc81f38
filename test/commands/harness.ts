import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { extractHelm } from '../../scripts/extract-helm.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { Redactor } from '../../src/lib/redactor.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/start-sandbox.ts'
import type { WorldOptions } from '../../src/sandbox/world.ts'
import { silentProgress } from '../silent-progress.ts'
import { fixedKeyMaker } from '../talos/fixed-key-maker.ts'
import { judgedProgress } from './judged-progress.ts'
import { createPatientClock } from './patient-clock.ts'

/** A world, and a way to run commands in it as the terminal or an action would. */
export interface Bench extends AsyncDisposable {
  readonly sandbox: Sandbox
  readonly identity: string
  readonly recipient: string
  /** A run's context; each call is another run. */
  run(partial?: Partial<RunContext>): RunContext
}

export async function startBench(options: Partial<WorldOptions> = {}): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'hcloud-talos-test-'))
  const clock = createPatientClock()
  const path = process.env['PATH'] ?? ''
  const sandbox = await startSandbox({ folder, path, clock, ...options })
  const identity = await generateX25519Identity()
  const recipient = await identityToRecipient(identity)
  sandbox.world.judge.outputs.secret(identity)
  const helm = await extractHelm()
  let runs = 0
  return {
    sandbox,
    identity,
    recipient,
    run(partial = {}) {
      runs++
      const { endpoints, world } = sandbox
      const { progress = silentProgress, redactor = new Redactor() } = partial
      const id = `test-${runs}`
      return {
        clock,
        calendar: sandbox.world.calendar,
        random: seededRandom(runs),
        keys: fixedKeyMaker,
        redactor,
        signal: new AbortController().signal,
        endpoints: {
          hetzner: endpoints.hcloud.endpoint,
          factory: endpoints.factory,
          charts: endpoints.charts.url,
          chartDigests: endpoints.charts.digests,
          ipLookup: endpoints.ipLookup,
          sshPort: endpoints.sshPort,
        },
        hetznerToken: endpoints.hcloud.token,
        storage: { ...endpoints.storage, endpoint: endpoints.storage.url },
        state: {
          remote: endpoints.git.folder,
          folder,
          credentials: undefined,
          environment: { PATH: path, HOME: folder },
          identity,
        },
        run: {
          id,
          attempt: 1,
          host: 'test',
          url: undefined,
          commit: undefined,
          actor: undefined,
          isRunOver: async () => true,
        },
        helm,
        cacheFolder: join(folder, 'cache'),
        tempFolder: folder,
        toolVersion: '0.0.0-test',
        ...partial,
        progress: judgedProgress(progress, { world, run: id, redactor }),
      }
    },
    async [Symbol.asyncDispose]() {
      await sandbox.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
