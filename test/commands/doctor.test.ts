import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { runDoctor } from '../../src/commands/doctor/run-doctor.ts'
import { readRepositoryFacts } from '../../src/github/repository-facts.ts'
import { createClock } from '../../src/lib/clock.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import type { Diagnosis } from '../../src/run/diagnosis.ts'
import { readClusterFile } from '../../src/run/hetzner-talos/cluster-session.ts'
import { openStateStore } from '../../src/run/open-state-store.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import { deriveSigningKey } from '../../src/store/trust/signing-key.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { changesDuring, refs, setBranch } from './world-facts.ts'

const adminToken = 'sandbox-admin-token'

let bench: Bench
let file: ClusterFile

const fileWith = (state: { signer?: string[]; recipients: string[] }) =>
  clusterFile(
    { workers: 0 },
    { ...bare, state, firewall: { talosApi: ['127.0.0.0/8'], kubernetesApi: ['127.0.0.0/8'] } },
  )

const signerOf = (secret: string) => deriveSigningKey({ secret }).signer

beforeAll(async () => {
  bench = await startBench()
  const offline = await identityToRecipient(await generateX25519Identity())
  file = fileWith({ signer: [signerOf(bench.identity)], recipients: [bench.recipient, offline] })
  await applyCluster(bench.run(), { file })
})
afterAll(() => bench[Symbol.asyncDispose]())

/** A repository as the documents advise it. */
beforeEach(() => {
  const { github } = bench.sandbox
  github.isPrivate = true
  github.tokens.set(adminToken, 'admin')
  github.rules.splice(0)
  for (const type of ['deletion', 'non_fast_forward']) {
    github.rules.push({ type, branches: 'hcloud-talos' })
  }
  github.secrets.splice(0)
  github.environments.splice(0)
  github.environments.push(
    { name: 'demo', branches: ['main'], secrets: ['AGE_IDENTITY', 'HCLOUD_TOKEN'] },
    { name: 'demo-plan', branches: 'any', secrets: ['HCLOUD_TOKEN'] },
  )
})

function askGithub(token = adminToken) {
  const { api, repository: name } = bench.sandbox.endpoints.github
  const [owner = '', repository = ''] = name.split('/')
  const place = { apiUrl: api, token, owner, repository }
  return (branches: { state: string; lock: string }) => readRepositoryFacts(place, branches)
}

async function doctor(
  partial: Partial<RunContext> = {},
  { of = file, token }: { of?: ClusterFile; token?: string } = {},
): Promise<string[]> {
  const diagnoses = await runDoctor(bench.run(partial), { file: of, github: askGithub(token) })
  for (const { verdict, fix } of diagnoses) {
    if (verdict !== 'good') expect(fix).toBeTruthy()
  }
  expect(bench.sandbox.world.contractErrors).toEqual([])
  return ailments(diagnoses)
}

/** Looks at the cluster itself, which are another test's. */
const inside: readonly string[] = [
  'servers',
  'etcd',
  'nodes',
  'kubernetes',
  'certificates',
  'versions',
  'changes',
]

/** What is not good, but for the warning about the addons that this cluster does without. */
const ailments = (diagnoses: readonly Diagnosis[]) =>
  diagnoses
    .filter(({ area }) => !inside.includes(area))
    .filter(({ verdict, message }) => verdict !== 'good' && !message.startsWith('addons.'))
    .map(({ area, verdict, message }) => `${verdict} ${area}: ${message}`)

describe('the doctor', () => {
  it('finds nothing wrong with what is as the documents advise it, and changes nothing', async () => {
    const before = await refs(bench)
    const { world } = bench.sandbox
    const changes = await changesDuring(world, async () => {
      expect(await doctor()).toEqual([])
    })
    expect(changes).toEqual([])
    expect(await refs(bench)).toEqual(before)
  })

  it('without a token for GitHub says what was not looked at', async () => {
    const diagnoses = await runDoctor(bench.run(), { file })
    expect(ailments(diagnoses)).toEqual([
      'unknown github: GitHub was not asked about rights, rulesets and environments',
    ])
  })

  it('knows a read-only token, and a clock that is wrong', async () => {
    const wall = createClock()
    const calendar = { ...wall, now: () => wall.now() + 10 * 60_000 }
    const hetznerToken = bench.sandbox.endpoints.hcloud.readOnlyToken
    expect(await doctor({ hetznerToken, calendar })).toEqual([
      'weak hetzner: the token may only read: good for plans, and for nothing else',
      expect.stringMatching(/^bad clock: it is (599|600|601) s ahead of that of Hetzner/),
      expect.stringMatching(/^bad clock: it is (599|600|601) s ahead of that of GitHub/),
    ])
  })

  it('tells a token of Hetzner that is refused, and looks at the rest all the same', async () => {
    const found = await doctor({ hetznerToken: 'wrong' })
    expect(found.map((line) => line.split(':')[0])).toEqual(['bad hetzner', 'bad state'])
  })

  it('tells few recipients, a missing signer, and keys that are not handed over', async () => {
    const single = fileWith({ recipients: [bench.recipient] })
    expect(await doctor({}, { of: single })).toEqual([
      expect.stringContaining(
        'weak cluster file: state.recipients: state.recipients names a single',
      ),
      'weak state: state.signer is not set: a plan without identity believes anybody',
      'weak identity: the state is encrypted for others than the recipients of the cluster file',
    ])
    const next = await generateX25519Identity()
    const { recipients } = readClusterFile(file).spec.state
    const signer = [bench.identity, next].map(signerOf)
    const merged = fileWith({ signer, recipients: [...recipients] })
    const identity = `${bench.identity}\n${next}`
    const state = { ...bench.run().state, identity }
    expect(await doctor({ state }, { of: merged })).toEqual([
      'weak identity: the cluster file names a newer key than the one that the state is signed by',
    ])
    expect(await doctor({}, { of: merged })).toEqual([
      'bad identity: it is one of a former epoch, which writes nothing any more once the state is handed over',
    ])
  })

  it('tells a lock of a run that has ended, and a state that was set back', async () => {
    const context = bench.run()
    const store = await openStateStore(context, readClusterFile(file).spec)
    await store.lock({ waitMs: 0 })
    const found = await doctor()
    await store.close()
    expect(found).toEqual([`weak lock: ${context.run.id} holds it, and its run has ended`])
    const head = (await refs(bench))['hcloud-talos']
    const first = (await commitsOfState()).at(0)
    await setBranch(bench, first)
    expect(await doctor()).toEqual([expect.stringContaining('bad state: [state-rolled-back]')])
    await setBranch(bench, head)
  })

  it.each([
    ['pull_request', 'hcloud-talos*', 'keeps every run from writing hcloud-talos'],
    ['required_signatures', '*', 'keeps every run from writing hcloud-talos'],
    ['deletion', 'hcloud-talos*', 'keeps every run from taking the lock hcloud-talos-lock/demo'],
  ])('tells a rule %s for %s that stands in the way', async (type, branches, message) => {
    bench.sandbox.github.rules.push({ type, branches })
    expect(
      (await doctor()).some((line) => line.startsWith(`bad github: the rule ${type} ${message}`)),
    ).toBe(true)
  })

  it('tells a branch that anybody can rewrite, and secrets that every branch can read', async () => {
    const { github } = bench.sandbox
    github.rules.splice(0)
    github.secrets.push('AGE_IDENTITY')
    github.environments.splice(0, 1, { name: 'demo', branches: 'any', secrets: ['HCLOUD_TOKEN'] })
    github.isPrivate = false
    expect(await doctor()).toEqual([
      'weak github: whoever may push can delete hcloud-talos',
      'bad github: the environment demo can be used by every branch: whoever may push can read its secrets',
      'bad github: AGE_IDENTITY is a secret of the whole repository: a workflow on any branch can read it',
      expect.stringContaining('is public'),
    ])
    github.environments.splice(0)
    expect(await doctor()).toContain('weak github: there is no environment demo')
  })

  it.each([
    [13, 'UTC', 'weak github: this token ends on 20'],
    [13, '+0000', 'weak github: this token ends on 20'],
    [15, 'UTC', undefined],
  ])('warns of a token of GitHub that ends in %s days (%s)', async (days, zone, message) => {
    const { github } = bench.sandbox
    const end = new Date(Date.now() + days * 86_400_000 + 60_000).toISOString()
    github.tokenEnds.set(adminToken, `${end.slice(0, 19).replace('T', ' ')} ${zone}`)
    const found = await doctor()
    github.tokenEnds.clear()
    expect(found).toEqual(message === undefined ? [] : [expect.stringContaining(message)])
  })

  it('with the token of a job says what that is not told', async () => {
    const { token } = bench.sandbox.endpoints.github
    expect(await doctor({}, { token })).toEqual([
      'unknown github: the secrets cannot be read with this token',
    ])
    bench.sandbox.github.tokens.set('reader', 'read')
    expect(await doctor({}, { token: 'reader' })).toContain(
      `bad github: this token may not push to ${bench.sandbox.endpoints.github.repository}`,
    )
    expect(await doctor({}, { token: 'nobody' })).toEqual([
      expect.stringContaining('it does not accept the token'),
    ])
  })
})

/** The commits of the state branch, the oldest first. */
async function commitsOfState(): Promise<string[]> {
  const store = await openStateStore(bench.run(), readClusterFile(file).spec)
  const { generations } = await store.audit()
  await store.close()
  return generations.map(({ commit }) => commit)
}
