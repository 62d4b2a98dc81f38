import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { generateX25519Identity } from 'age-encryption'
import { afterEach } from 'vitest'
import type { Clock } from '../../src/lib/clock.ts'
import { systemRandom } from '../../src/lib/random.ts'
import { Redactor } from '../../src/lib/redactor.ts'
import type { Inventory } from '../../src/plan/inventory.ts'
import { heartbeatMs } from '../../src/store/lock/lock-record.ts'
import { type OpenStoreOptions, openStore } from '../../src/store/open-store.ts'
import type { StateStore } from '../../src/store/state-store.ts'
import { type AgeIdentity, parseIdentities } from '../../src/store/trust/identity.ts'
import { createPatientClock } from '../commands/patient-clock.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** Runs when the test is over, the last first. */
export function afterTest(cleanup: () => Promise<unknown>): void {
  cleanups.push(cleanup)
}

export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'store-test-'))
  afterTest(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Git as a person would run it, for looking at and spoiling repositories. */
export async function git(folder: string, ...args: string[]): Promise<string> {
  const identity = ['-c', 'user.name=test', '-c', 'user.email=test@localhost']
  const run = promisify(execFile)
  const { stdout } = await run('git', [...identity, ...args], { cwd: folder, encoding: 'utf8' })
  return stdout.trim()
}

/** A bare repository in a folder of its own; its path. */
export async function makeRemote(): Promise<string> {
  const remote = join(await makeFolder(), 'state.git')
  await git(tmpdir(), 'init', '--quiet', '--bare', remote)
  return remote
}

export async function makeIdentity(redactor = new Redactor()): Promise<AgeIdentity> {
  const [identity] = await parseIdentities(await generateX25519Identity(), redactor)
  return identity
}

export const branch = 'hcloud-talos'

/** The identity of stores that are given none: what one of them writes, the others believe. */
const [commonIdentity] = await parseIdentities(await generateX25519Identity(), new Redactor())

/** Heartbeats and pauses without waiting for them, and none while git works. */
export const fastClock = createPatientClock()

/** The fast clock for a holder that stopped living: its heartbeat never comes. */
export const stillClock: Clock = {
  now: fastClock.now,
  sleep: (milliseconds, signal) =>
    milliseconds === heartbeatMs ? forever(signal) : fastClock.sleep(milliseconds, signal),
}

function forever(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason))
  })
}

/** Opens a store that is closed when the test is over. */
export async function makeStore(
  options: Partial<OpenStoreOptions> & { readonly remote: string },
): Promise<StateStore> {
  const folder = options.folder ?? (await makeFolder())
  const store = await openStore({
    folder,
    branch,
    clusterName: 'demo',
    recipients: [],
    identities: [commonIdentity],
    writer: { run: 'run-1', attempt: 1, host: 'here' },
    toolVersion: '0.0.0',
    clock: fastClock,
    random: systemRandom,
    redactor: new Redactor(),
    environment: process.env,
    temporaryFolder: await makeFolder(),
    ...options,
  })
  afterTest(() => store.close())
  return store
}

export function makeInventory(clusterName = 'demo', uid = '0123456789abcdef'): Inventory {
  return { clusterName, uid, nodes: [], addons: {}, bootstrapped: false }
}

export const secretsBundle = 'cluster:\n  id: abc\n  secret: canary-bundle-secret\n'

export const machineConfig = [
  'version: v1alpha1',
  'machine:',
  '  type: controlplane',
  '  token: canary-machine-token',
  '  network:',
  '    hostname: demo-control-plane-1',
  '---',
  'apiVersion: v1alpha1',
  'kind: RegistryAuthConfig',
  'name: registry.example.com',
  'password: canary-registry-password',
  '',
].join('\n')
