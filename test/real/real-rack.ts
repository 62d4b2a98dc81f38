import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { stringify } from 'yaml'
import { prepareHostBed } from '../../rig/bed/prepare-bed.ts'
import { type RealHosts, startRealHosts } from '../../rig/hosts/start-real-hosts.ts'
import { runProgram } from '../../rig/run-program.ts'
import { applyInMode } from '../../src/commands/modes/apply-in-mode.ts'
import { destroyInMode } from '../../src/commands/modes/destroy-in-mode.ts'
import { hostsMode } from '../../src/commands/modes/kubeadm/hosts-mode.ts'
import { mintInMode } from '../../src/commands/modes/mint-in-mode.ts'
import { planInMode } from '../../src/commands/modes/plan-in-mode.ts'
import { restoreInMode } from '../../src/commands/modes/restore-in-mode.ts'
import { snapshotInMode, type TakenSnapshot } from '../../src/commands/modes/snapshot-in-mode.ts'
import { upgradeInMode } from '../../src/commands/modes/upgrade-in-mode.ts'
import { createClock, systemCalendar } from '../../src/lib/clock.ts'
import type { Progress } from '../../src/lib/progress.ts'
import { madeUpRun } from '../commands/made-up-run.ts'

/** Real hosts, a repository for the state, and the commands of the product on them. */
export interface RealRack extends AsyncDisposable {
  readonly hosts: RealHosts
  /** The Kubernetes that clusters begin with, and the one that they can be upgraded to, without v. */
  readonly versions: { readonly kubernetes: string; readonly nextKubernetes: string }
  /** What would be done to these hosts, in order; findings that are errors first. */
  plan(names: readonly string[], more?: RackParts): Promise<string[]>
  apply(names: readonly string[], more?: RackParts): Promise<void>
  destroy(names: readonly string[], more?: RackParts): Promise<void>
  /** To the versions of its file. */
  upgrade(names: readonly string[], more: RackParts): Promise<void>
  /** A kubeconfig for an hour. */
  mint(names: readonly string[]): Promise<string>
  snapshot(names: readonly string[], to: string): Promise<TakenSnapshot>
  restore(names: readonly string[], snapshot: string): Promise<number>
  /** As whoever has the kubeconfig of this control plane. */
  kubectl(host: string, ...args: string[]): Promise<string>
  /** As whoever has this kubeconfig. */
  kubectlBy(kubeconfig: string, ...args: string[]): Promise<string>
}

interface RackParts {
  /** What becomes of hosts that leave. */
  readonly onRemove?: string
  /** Names of hosts that leave and come back. */
  readonly replace?: readonly string[]
  /** Without v; the one that clusters begin with where absent. */
  readonly kubernetes?: string
}

const root = resolve(import.meta.dirname, '../..')

/** Starts bare hosts; control planes are called `cp-…`. The test script made the namespaces of this process. */
export async function startRealRack(names: readonly string[]): Promise<RealRack> {
  const [cache, home] = [needed('HCLOUD_TALOS_REAL_CACHE'), needed('HCLOUD_TALOS_REAL_FOLDER')]
  const path = needed('PATH')
  const bed = await prepareHostBed({ root, cache, path, report: () => {} })
  await using started = new AsyncDisposableStack()
  started.use(await trustClock(bed.trustClock))
  // The cgroup of its hosts is named after it, and swept by the name of what it lies in.
  const folder = join(home, `${basename(home)}-rack`)
  await mkdir(folder, { recursive: true })
  const hosts = started.use(await startRealHosts({ bed, folder, names }))
  const remote = join(await mkdtemp(join(home, 'state-')), 'state.git')
  await runProgram('git', ['init', '--quiet', '--bare', remote])
  const [identity, other] = [await generateX25519Identity(), await generateX25519Identity()]
  const recipients = [await identityToRecipient(identity), await identityToRecipient(other)]
  const run = async () => {
    const context = await madeUpRun(remote, identity)
    const environment = { ...process.env, HOSTS_KEY: hosts.privateKey }
    return {
      ...context,
      clock: createClock(),
      calendar: systemCalendar,
      state: { ...context.state, environment },
      progress: logTo(join(folder, 'progress.log')),
    }
  }
  const file = (wanted: readonly string[], { onRemove, kubernetes }: RackParts = {}) => ({
    path: 'cluster.yaml',
    text: stringify({
      clusterName: 'rack',
      hosts: wanted.map((name) => ({
        name,
        address: hosts.host(name).host.address,
        role: name.startsWith('cp') ? 'control-plane' : 'worker',
        hostKey: hosts.host(name).hostKey,
      })),
      ssh: { user: hosts.user, key: { environment: 'HOSTS_KEY' } },
      kubeadm: {
        endpoint: { host: `${hosts.balancer}:6443` },
        runtime: { version: bed.containerd, source: { type: 'mirror', url: hosts.repositories } },
        packages: { type: 'mirror', url: hosts.repositories },
        registryMirrors: { 'registry.k8s.io': [hosts.registry] },
        patches: hosts.patches,
        ...(onRemove !== undefined && { onRemove }),
      },
      kubernetes: { version: kubernetes ?? bed.kubernetes },
      cni: { type: 'none' },
      addons: { csrApprover: { enabled: false } },
      state: { recipients },
    }),
  })
  const ask = async (kubeconfig: string, args: readonly string[]) => {
    const place = join(folder, 'kubeconfig')
    await writeFile(place, kubeconfig)
    return runProgram(bed.kubectl, ['--kubeconfig', place, '--request-timeout=20s', ...args])
  }
  const kept = started.move()
  return {
    hosts,
    versions: bed,
    async plan(wanted, more) {
      const input = { file: file(wanted, more), verb: 'apply', replace: more?.replace } as const
      const { plan } = await planInMode(hostsMode, await run(), input)
      const errors = plan.findings.filter(({ severity }) => severity === 'error')
      return [
        ...errors.map(({ message }) => `error ${message}`),
        ...plan.changes.map(({ action, key }) => `${action} ${key}`),
        ...plan.waiting.map(({ key }) => `waits ${key}`),
      ]
    },
    async apply(wanted, more) {
      const input = { file: file(wanted, more), replace: more?.replace }
      await applyInMode(hostsMode, await run(), input)
    },
    async destroy(wanted, more) {
      const confirm = async () => true
      await destroyInMode(hostsMode, await run(), { file: file(wanted, more), confirm })
    },
    async upgrade(wanted, more) {
      const confirm = async () => true
      await upgradeInMode(hostsMode, await run(), { file: file(wanted, more), confirm })
    },
    async mint(wanted) {
      const input = { file: file(wanted), hours: 1 }
      const { kubeconfig } = await mintInMode(hostsMode, await run(), input, hostsMode.credentials)
      return kubeconfig
    },
    async snapshot(wanted, to) {
      return await snapshotInMode(hostsMode, await run(), { file: file(wanted), to })
    },
    async restore(wanted, snapshot) {
      const input = { file: file(wanted), snapshot, discardEtcd: true, confirm: async () => true }
      const { left } = await restoreInMode(hostsMode, await run(), input)
      return left
    },
    async kubectl(name, ...args) {
      return ask(await hosts.host(name).host.run('cat', '/etc/kubernetes/admin.conf'), args)
    },
    kubectlBy: (kubeconfig, ...args) => ask(kubeconfig, args),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

function needed(name: string): string {
  const value = process.env[name]
  if (value) return value
  throw new Error(`${name} is not set: run this with npm run test:real`)
}

/** Makes the machine call its clock right, as hosts see it, until it is closed. */
async function trustClock(program: string): Promise<AsyncDisposable> {
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return {
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'close')
      child.stdin.end()
      await ended
    },
  }
}

/** What a run does, line by line, for whoever looks for where it stands. */
function logTo(path: string): Progress {
  const started = performance.now()
  const log = (line: string) => {
    const seconds = ((performance.now() - started) / 1_000).toFixed(1)
    void appendFile(path, `[${seconds} s] ${line}\n`)
  }
  return {
    phase: (title) => {
      log(title)
      return {
        step: (message) => log(`  ${message}`),
        fraction() {},
        succeed: (message = '') => log(`${title}: done ${message}`),
        fail: (message) => log(`${title}: failed: ${message}`),
        skip: (reason) => log(`${title}: skipped: ${reason}`),
      }
    },
    info: log,
    warn: log,
  }
}
