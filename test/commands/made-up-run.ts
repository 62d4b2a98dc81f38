import { createClock, systemCalendar } from '../../src/lib/clock.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { Redactor } from '../../src/lib/redactor.ts'
import { productionEndpoints, type RunContext } from '../../src/run/run-context.ts'
import { silentProgress } from '../silent-progress.ts'
import { makeFolder } from '../store/state-fixture.ts'

let runs = 0

/** The context of a run of the made-up mode: a repository and an identity are all that it has. */
export async function madeUpRun(remote: string, identity: string | undefined): Promise<RunContext> {
  runs++
  const folder = await makeFolder()
  return {
    clock: createClock(),
    calendar: systemCalendar,
    random: seededRandom(runs),
    keys: { make: async () => '', read: () => undefined },
    progress: silentProgress,
    redactor: new Redactor(),
    signal: new AbortController().signal,
    endpoints: productionEndpoints,
    hetznerToken: undefined,
    state: { remote, folder, credentials: undefined, environment: process.env, identity },
    run: {
      id: `made-up-${runs}`,
      attempt: 1,
      host: 'test',
      url: undefined,
      commit: undefined,
      actor: undefined,
      isRunOver: async () => true,
    },
    helm: undefined,
    cacheFolder: folder,
    tempFolder: folder,
    toolVersion: '0.0.0-test',
  }
}
