import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { applyInMode } from '../../src/commands/modes/apply-in-mode.ts'
import { destroyInMode } from '../../src/commands/modes/destroy-in-mode.ts'
import { doctorInMode } from '../../src/commands/modes/doctor-in-mode.ts'
import { hostsMode } from '../../src/commands/modes/kubeadm/hosts-mode.ts'
import { planInMode } from '../../src/commands/modes/plan-in-mode.ts'
import { type RestoreInput, restoreInMode } from '../../src/commands/modes/restore-in-mode.ts'
import { snapshotInMode, type TakenSnapshot } from '../../src/commands/modes/snapshot-in-mode.ts'
import { statusInMode } from '../../src/commands/modes/status-in-mode.ts'
import { upgradeInMode } from '../../src/commands/modes/upgrade-in-mode.ts'
import { createClock, systemCalendar } from '../../src/lib/clock.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import type { Plan } from '../../src/plan/plan.ts'
import type { ClusterStatus } from '../../src/planner/cluster-status.ts'
import type { RestorePlan } from '../../src/planner/restore-plan.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import { publishSigningKeys } from '../../src/sandbox/hosts/signing-key.ts'
import type { SimHosts, StartHostsOptions } from '../../src/sandbox/hosts/start-hosts.ts'
import { startHosts } from '../../src/sandbox/hosts/start-hosts.ts'
import { git } from '../store/state-fixture.ts'
import { madeUpRun } from './made-up-run.ts'

export interface HostsCluster extends AsyncDisposable {
  readonly hosts: SimHosts
  /** The repository of the state. */
  readonly remote: string
  /** The text of a cluster file with these hosts; control planes are called `cp-…`. */
  file(names: readonly string[], more?: FileParts): { readonly path: string; readonly text: string }
  /** Of another run of the product. */
  run(): Promise<RunContext>
  plan(names: readonly string[], more?: PlanParts): Promise<string[]>
  /** What the doctor finds of the hosts and of their cluster that is not good: `bad etcd: … → …`. */
  findings(names: readonly string[], partial?: Partial<RunContext>): Promise<string[]>
  /** Returns the changes that it made, as `plan` shows them. */
  apply(names: readonly string[], more?: PlanParts): Promise<string[]>
  status(names: readonly string[]): Promise<ClusterStatus>
  upgrade(names: readonly string[], more?: FileParts): Promise<void>
  destroy(names: readonly string[], more?: FileParts): Promise<void>
  snapshot(names: readonly string[], to: string): Promise<TakenSnapshot>
  /** Resolves to what was confirmed, and how many changes an apply would still make. */
  restore(
    names: readonly string[],
    asked: Pick<RestoreInput, 'snapshot'> & Partial<RestoreInput>,
    context?: Partial<RunContext>,
  ): Promise<{ readonly plan: RestorePlan; readonly left: number }>
}

export interface FileParts {
  readonly kubernetes?: string
  readonly labels?: string
  readonly onRemove?: string
  /** Names of the control planes; those that are called `cp-…` where absent. */
  readonly controlPlanes?: readonly string[]
  /** The endpoint is a virtual IP by this version of kube-vip. */
  readonly kubeVip?: string
  /** What stands below `kubernetes`, beside its version. */
  readonly settings?: readonly string[]
  /** Addons of the file's own. */
  readonly custom?: readonly JsonObject[]
}

interface PlanParts extends FileParts {
  /** Nodes that are replaced by name. */
  readonly replace?: readonly string[]
}

const notOfHosts = ['cluster file', 'github', 'identity', 'state', 'lock']

/** Simulated hosts, a repository for the state, and the commands of the product on them. */
export async function startHostsCluster(options: StartHostsOptions): Promise<HostsCluster> {
  const hosts = await startHosts({ hasOwnNetwork: true, ...options })
  await publishSigningKeys(hosts)
  // Not a folder of the test: a cluster may be that of several.
  const place = await mkdtemp(join(tmpdir(), 'rack-'))
  const remote = join(place, 'state.git')
  await git(place, 'init', '--quiet', '--bare', remote)
  const [identity, other] = [await generateX25519Identity(), await generateX25519Identity()]
  const recipients = [await identityToRecipient(identity), await identityToRecipient(other)]
  const run = async () => {
    const context = await madeUpRun(remote, identity)
    const environment = { ...process.env, HOSTS_KEY: hosts.privateKey }
    const state = { ...context.state, environment }
    return { ...context, clock: createClock(4), calendar: systemCalendar, state }
  }
  const file: HostsCluster['file'] = (names, parts = {}) => ({
    path: 'cluster.yaml',
    text: [
      'clusterName: rack',
      'hosts:',
      ...names.flatMap((name) => {
        const { host, hostKey } = hosts.host(name)
        const { labels, onRemove, controlPlanes } = parts
        const isControlPlane = controlPlanes?.includes(name) ?? name.startsWith('cp')
        return [
          `  - name: ${name}`,
          `    address: ${host.address}`,
          `    role: ${isControlPlane ? 'control-plane' : 'worker'}`,
          `    hostKey: ${hostKey}`,
          ...(labels === undefined ? [] : [`    labels: ${labels}`]),
          ...(onRemove === undefined ? [] : [`    onRemove: ${onRemove}`]),
        ]
      }),
      'ssh:',
      `  port: ${hosts.port}`,
      '  key:',
      '    environment: HOSTS_KEY',
      'kubeadm:',
      '  endpoint:',
      ...(parts.kubeVip === undefined
        ? [`    host: ${hosts.balancer}:6443`]
        : [
            '    virtualIp:',
            `      address: ${hosts.virtualIp}`,
            `      kubeVip: ${parts.kubeVip}`,
          ]),
      'kubernetes:',
      `  version: ${parts.kubernetes ?? '1.35.4'}`,
      ...(parts.settings ?? []).map((line) => `  ${line}`),
      'cni:',
      '  type: none',
      'addons:',
      '  csrApprover:',
      '    enabled: false',
      `  custom: ${JSON.stringify(parts.custom ?? [])}`,
      'state:',
      '  recipients:',
      ...recipients.map((recipient) => `    - ${recipient}`),
      '',
    ].join('\n'),
  })
  return {
    hosts,
    remote,
    file,
    run,
    async plan(names, { replace, ...more } = {}) {
      const input = { file: file(names, more), verb: 'apply', replace } as const
      const { plan } = await planInMode(hostsMode, await run(), input)
      return shown(plan)
    },
    async findings(names, partial) {
      const context = { ...(await run()), ...partial }
      const found = await doctorInMode(hostsMode, context, { file: file(names) })
      return found
        .filter(({ area, verdict }) => verdict !== 'good' && !notOfHosts.includes(area))
        .map(({ area, verdict, message, fix }) => `${verdict} ${area}: ${message} → ${fix}`)
    },
    async apply(names, { replace, ...more } = {}) {
      const input = { file: file(names, more), replace }
      const { plan } = await applyInMode(hostsMode, await run(), input)
      return shown(plan)
    },
    async status(names) {
      return await statusInMode(hostsMode, await run(), { file: file(names) })
    },
    async upgrade(names, more) {
      await upgradeInMode(hostsMode, await run(), { file: file(names, more) })
    },
    async destroy(names, more) {
      await destroyInMode(hostsMode, await run(), {
        file: file(names, more),
        confirm: async () => true,
      })
    },
    async snapshot(names, to) {
      return snapshotInMode(hostsMode, await run(), { file: file(names), to })
    },
    async restore(names, asked, context) {
      const input = { discardEtcd: false, confirm: async () => true, ...asked, file: file(names) }
      return restoreInMode(hostsMode, { ...(await run()), ...context }, input)
    },
    async [Symbol.asyncDispose]() {
      await hosts[Symbol.asyncDispose]()
      await rm(place, { recursive: true, force: true })
    },
  }
}

function shown({ findings, changes, waiting }: Plan): string[] {
  const errors = findings.filter(({ severity }) => severity === 'error')
  return [
    ...errors.map(({ message }) => `error ${message}`),
    ...changes.map(({ action, key }) => `${action} ${key}`),
    ...waiting.map(({ key }) => `waits ${key}`),
  ]
}
