import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { releaseOf } from '../../src/addons/addon-release.ts'
import { mintAccess } from '../../src/commands/access/mint-access.ts'
import { restoreCluster } from '../../src/commands/backup/restore-cluster.ts'
import { snapshotCluster } from '../../src/commands/backup/snapshot-cluster.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { removeSecret, setSecret } from '../../src/commands/secrets/change-secret.ts'
import { listSecrets } from '../../src/commands/secrets/list-secrets.ts'
import { recoverState } from '../../src/commands/state/recover-state.ts'
import { compareNodeConfig } from '../../src/commands/talos/node-config.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { renderPlanJson } from '../../src/plan/render-json.ts'
import { renderPlanMarkdown } from '../../src/plan/render-markdown.ts'
import { renderPlanText } from '../../src/plan/render-text.ts'
import { toApprovedPlan } from '../../src/plan/verdict.ts'
import { addonsOf } from '../../src/planner/hetzner-talos/addons-of.ts'
import { addonRenderer } from '../../src/run/addon-renderer.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import { sampleFacts, sampleSpec } from '../addons/sample-spec.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { listeningProgress } from './listening-progress.ts'
import { editByHand, runningConfig } from './node-hands.ts'
import { changesDuring, inventoryOf, stateFiles, stateHistory } from './world-facts.ts'

const canaries = {
  password: 'xqz"canary\\7731',
  token: 'canary-token-0815',
  renewed: 'canary-token-4711',
  key: '-----BEGIN X-----\ncanary-of-several-lines-0000000000000000\n-----END X-----',
}
const talos = { version: 'v1.13.9' }
const firewall = { talosApi: ['0.0.0.0/0'] }

let bench: Bench
beforeAll(async () => {
  bench = await startBench()
})
afterAll(() => bench[Symbol.asyncDispose]())

/** In a field that Talos keeps secrets in, in one that it does not, within a text, and in each form. */
const patch = {
  machine: {
    registries: {
      config: { 'ghcr.io': { auth: { username: 'me', password: `\${secret:password}` } } },
    },
    sysctls: {
      'kernel.domainname': `x-\${secret:token}-y`,
      'kernel.hostname': `$\${secret:nobody}`,
    },
    files: [
      {
        path: '/var/etc/key.json',
        permissions: 0o600,
        op: 'create',
        content: `{"key": \${secret:key:json}, "again": "\${secret:key:base64}"}`,
      },
    ],
  },
}

function file(patches: readonly JsonObject[] = [patch], more: JsonObject = {}): ClusterFile {
  return clusterFile({ workers: 1 }, { ...bare, firewall, talos: { ...talos, patches }, ...more })
}

const log: string[] = []
function run(environment: Record<string, string> = {}): RunContext {
  const context = bench.run({ progress: listeningProgress(log) })
  const { state } = context
  return { ...context, state: { ...state, environment: { ...state.environment, ...environment } } }
}

function withoutIdentity(): RunContext {
  const context = run()
  return { ...context, state: { ...context.state, identity: undefined } }
}

async function planOf(wanted: ClusterFile, context = run()): Promise<Plan> {
  const { plan } = await planCluster(context, { file: wanted, verb: 'apply' })
  const shown = [
    renderPlanText(plan),
    renderPlanMarkdown(plan),
    JSON.stringify(renderPlanJson(plan)),
  ]
  log.push(...shown)
  return plan
}

const describedChanges = ({ changes }: Plan) =>
  changes.map(({ key, fields }) => [
    key,
    ...fields.map(({ path, before, after }) => `${path}: ${before} → ${after}`),
  ])

const messages = ({ findings }: Pick<Plan, 'findings'>) =>
  findings.map(({ severity, message }) => `${severity}: ${message}`)

it('what nobody has set is refused with its line, before anything is made', async () => {
  const line =
    file()
      .text.split('\n')
      .findIndex((each) => each.includes(`\${secret:password}`)) + 1
  await expect(applyCluster(run(), { file: file() })).rejects.toMatchObject({
    code: 'plan-refused',
    findings: expect.arrayContaining([
      expect.objectContaining({
        severity: 'error',
        message: 'the secret password was never set',
        path: ['talos', 'patches', 0],
        position: { line, column: expect.any(Number) },
        hint: expect.stringMatching(/secret set password.*HCLOUD_TALOS_SECRET_PASSWORD/),
      }),
    ]),
  })
  const short = { HCLOUD_TALOS_SECRET_TOKEN: '  short12  ' }
  await expect(applyCluster(run(short), { file: file() })).rejects.toMatchObject({
    findings: expect.arrayContaining([
      expect.objectContaining({
        message: expect.stringContaining('TOKEN is shorter than 8 characters'),
      }),
    ]),
  })
  // Who has no identity cannot know what the apply is given.
  const plan = await planOf(file(), withoutIdentity())
  expect(messages(plan)).toContain(
    'warning: the secret password is not kept in the state: an apply must be given it',
  )
})

it('secrets are set before there is a cluster, and what was planned without them is what is applied', async () => {
  const plan = await planOf(file(), withoutIdentity())
  const set = (name: string, value: string) => setSecret(run(), { file: file(), name, value })
  expect(await set('password', `${canaries.password}\n`)).toEqual({
    name: 'password',
    changed: true,
    version: 1,
  })
  expect(await set('password', canaries.password)).toMatchObject({ changed: false, version: 1 })
  await set('key', canaries.key)
  // Begun by the mode, as an apply begins it.
  expect(await inventoryOf(bench)).toMatchObject({ contract: 'v1.13', bootstrapped: false })
  // The third is given by the environment alone.
  const context = run({ HCLOUD_TALOS_SECRET_TOKEN: canaries.token })
  await applyCluster(context, { file: file(), approved: toApprovedPlan(plan) })
  for (const node of ['demo-control-plane-1', 'demo-workers-1']) {
    const config = runningConfig(bench, node)
    expect(config).toContain(`x-${canaries.token}-y`)
    expect(config).toContain(JSON.stringify(canaries.key))
    expect(config).toContain(Buffer.from(canaries.key).toString('base64'))
    expect(config).toContain(`\${secret:nobody}`)
    expect(config).toContain('canary\\7731')
  }
  // From now on runs need not be given it.
  expect((await planOf(file())).changes).toEqual([])
  expect((await applyCluster(run(), { file: file() })).plan.changes).toEqual([])
})

it('they are listed without their values: who set them, and what refers to them', async () => {
  expect(await listSecrets(withoutIdentity(), file())).toEqual([
    {
      name: 'key',
      kept: { version: 1, setAt: expect.any(String), setBy: expect.any(String), origin: 'set' },
      referredFrom: ['talos.patches.0'],
    },
    expect.objectContaining({ name: 'password' }),
    expect.objectContaining({
      name: 'token',
      kept: expect.objectContaining({ version: 1, origin: 'environment' }),
    }),
  ])
})

it('another value is a change of what refers to it, the same for who cannot read it', async () => {
  await setSecret(run(), { file: file(), name: 'token', value: canaries.renewed })
  const field = 'machine.sysctls["kernel.domainname"]'
  const change = `${field}: x-\${secret:token}-y (version 1) → x-\${secret:token}-y (version 2)`
  const plan = await planOf(file())
  expect(describedChanges(plan)).toEqual([
    ['node/demo-control-plane-1', change],
    ['node/demo-workers-1', change],
  ])
  expect(plan.changes.map(({ risk }) => risk)).toEqual(['live', 'live'])
  expect((await planOf(file(), withoutIdentity())).digest).toBe(plan.digest)
  await applyCluster(run(), { file: file(), approved: toApprovedPlan(plan) })
  expect(runningConfig(bench, 'demo-workers-1')).toContain(`x-${canaries.renewed}-y`)
  expect((await planOf(file())).changes).toEqual([])
})

it('the environment of an apply comes before the state, and what it gives is kept', async () => {
  const context = () => run({ HCLOUD_TALOS_SECRET_TOKEN: canaries.token })
  const plan = await planOf(file(), context())
  expect(plan.changes).toHaveLength(2)
  await applyCluster(context(), { file: file(), approved: toApprovedPlan(plan) })
  expect(runningConfig(bench, 'demo-workers-1')).toContain(`x-${canaries.token}-y`)
  expect((await planOf(file())).changes).toEqual([])
  expect((await planOf(file(), context())).changes).toEqual([])
})

it('what somebody put in the place of a secret is told without either', async () => {
  const edit = (machine: JsonObject) => ({
    ...machine,
    sysctls: { 'kernel.domainname': 'by-hand' },
  })
  await editByHand(bench, file(), 'demo-workers-1', edit)
  const plan = await planOf(file())
  expect(describedChanges(plan)).toContainEqual(
    expect.arrayContaining([
      `machine.sysctls["kernel.domainname"]: (hidden) → x-\${secret:token}-y`,
    ]),
  )
  await applyCluster(run(), { file: file() })
  expect(runningConfig(bench, 'demo-workers-1')).toContain(`x-${canaries.token}-y`)
})

it('one that is referred to is removed only on purpose, and then every apply is refused', async () => {
  const remove = (confirm: boolean) =>
    removeSecret(run(), { file: file(), name: 'token', confirm: async () => confirm })
  await expect(remove(false)).rejects.toMatchObject({
    code: 'not-confirmed',
    hint: expect.stringContaining('talos.patches.0'),
  })
  await remove(true)
  await expect(remove(true)).rejects.toMatchObject({ code: 'secret-missing' })
  await expect(applyCluster(run(), { file: file() })).rejects.toMatchObject({
    code: 'plan-refused',
  })
  const snapshot = join(run().tempFolder, 'demo.age')
  await snapshotCluster(run(), { file: file(), to: snapshot })
  // Nodes would be wiped, and then wait for a config that nobody can fill.
  const restore = () =>
    expect(
      restoreCluster(run(), {
        file: file(),
        snapshot,
        discardEtcd: true,
        confirm: async () => true,
      }),
    ).rejects.toMatchObject({
      code: 'plan-refused',
      findings: [expect.objectContaining({ message: 'the secret token was never set' })],
    })
  expect(await changesDuring(bench.sandbox.world, restore)).toEqual([])
  // Set again it has a version of its own, whatever its value is.
  const { version } = await setSecret(run(), { file: file(), name: 'token', value: canaries.token })
  expect(version).toBe(4)
  await applyCluster(run(), { file: file() })
  const without = file([])
  // What it was filled into is not told when its reference is gone, neither by the plan nor as what somebody did by hand.
  const leaving = async () => {
    const plan = await planOf(without)
    const fields = plan.changes.flatMap(({ reason, fields }) => [reason, ...fields])
    expect(JSON.stringify(fields)).not.toMatch(/by hand|"byHand":true/)
    const { differences } = await compareNodeConfig(run(), {
      file: without,
      node: 'demo-workers-1',
    })
    log.push(JSON.stringify(differences))
    expect(differences).toContainEqual(
      expect.objectContaining({
        path: 'machine.sysctls["kernel.domainname"]',
        before: '(hidden)',
        after: undefined,
      }),
    )
  }
  await leaving()
  await setSecret(run(), { file: file(), name: 'token', value: canaries.renewed })
  await leaving()
  await removeSecret(run(), { file: without, name: 'token', confirm: async () => true })
  await leaving()
  await applyCluster(run(), { file: without })
  await setSecret(run(), { file: file(), name: 'token', value: canaries.token })
  expect(messages(await planOf(without))).toContain(
    'warning: nothing in the cluster file refers to the secret token',
  )
})

it.each([
  ['a name with capitals', 'Token', canaries.token],
  ['a short value', 'token', 'short12\n'],
  ['a short value between spaces', 'token', '  short12  '],
  ['what is no text', 'token', 'a\0b345678'],
])('%s is refused', async (_, name, value) => {
  await expect(setSecret(run(), { file: file(), name, value })).rejects.toMatchObject({
    code: 'secret-refused',
  })
})

it('the text of a reference in values stands for itself, also where there is no reference', async () => {
  const values = { providerRegex: `^$\${secret:nobody}` }
  const spec = sampleSpec()
  const csrApprover = { ...spec.addons.csrApprover, values }
  const wanted = { ...spec, addons: { ...spec.addons, csrApprover } }
  const approver = addonsOf(wanted)['csr-approver']
  if (!approver) throw new Error('the catalogue has it')
  const release = releaseOf(approver, wanted, sampleFacts)
  const set = await addonRenderer(run(), async () => new Map()).render(release, {
    version: 'v1.32.0',
    apiVersions: ['apps/v1', 'apps/v1/Deployment'],
  })
  expect(JSON.stringify(set)).toContain(`^\${secret:nobody}`)
})

it('a secret is set with an identity, and with a token that may write', async () => {
  const input = { file: file(), name: 'other', value: canaries.token }
  await expect(setSecret(withoutIdentity(), input)).rejects.toMatchObject({
    code: 'identity-missing',
  })
  const reader = { ...run(), hetznerToken: bench.sandbox.endpoints.hcloud.readOnlyToken }
  await expect(setSecret(reader, input)).rejects.toMatchObject({ code: 'token-read-only' })
})

const wayInto = (talosconfig: string) => ({ kind: 'talosconfig', text: talosconfig }) as const

/** Takes the branch away, and recovers it; what it is then in plain text. */
async function recovered(wanted: ClusterFile, talosconfig: string, given: Record<string, string>) {
  const { folder } = bench.sandbox.endpoints.git
  execFileSync('git', ['-C', folder, 'update-ref', '-d', 'refs/heads/hcloud-talos'])
  const { plan } = await recoverState(run(given), { file: wanted, wayIn: wayInto(talosconfig) })
  const files = await stateFiles(bench)
  expect(Object.values(files).join('\n')).not.toContain('canary')
  return { plan, nodes: Object.keys(files).filter((path) => path.includes('/nodes/')) }
}

it('a branch that is lost is recovered with the references in the place of values', async () => {
  await applyCluster(run(), { file: file() })
  const { talosconfig = '' } = await mintAccess(run(), { file: file(), hours: 1 })
  const given = {
    HCLOUD_TALOS_SECRET_TOKEN: canaries.token,
    HCLOUD_TALOS_SECRET_PASSWORD: canaries.password,
    HCLOUD_TALOS_SECRET_KEY: canaries.key,
  }
  // What nobody can put back is not kept: a node that the file does not ask for, and a value that was not given.
  const smaller = clusterFile(
    { workers: 0 },
    { ...bare, firewall, talos: { ...talos, patches: [patch] } },
  )
  expect((await recovered(smaller, talosconfig, given)).nodes).toEqual([
    expect.stringContaining('demo-control-plane-1'),
  ])
  const { HCLOUD_TALOS_SECRET_KEY: _, ...others } = given
  expect((await recovered(file(), talosconfig, others)).nodes).toEqual([])
  const { plan, nodes } = await recovered(file(), talosconfig, given)
  expect(plan.changes).toEqual([])
  expect(nodes).toHaveLength(2)
  expect((await planOf(file())).changes).toEqual([])
})

it('no value of any of them is in what runs said, in plans, or on the branch', async () => {
  const history = await stateHistory(bench)
  const files = Object.values(await stateFiles(bench)).join('\n')
  expect(history).toContain(`x-\${secret:token}-y`)
  expect(`${log.join('\n')}${files}${history}`).not.toContain('canary')
})
