import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { generateX25519Identity } from 'age-encryption'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeAudit } from '../../src/cli/commands/state/describe-audit.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { runDoctor } from '../../src/commands/doctor/run-doctor.ts'
import { rotateKeys } from '../../src/commands/keys/rotate-keys.ts'
import { compactState } from '../../src/commands/state/compact-state.ts'
import { exportState } from '../../src/commands/state/export-state.ts'
import { importState } from '../../src/commands/state/import-state.ts'
import { repairState } from '../../src/commands/state/repair-state.ts'
import { verifyState } from '../../src/commands/state/verify-state.ts'
import type { ErrorCode } from '../../src/lib/error-codes.ts'
import type { RepairPlan } from '../../src/planner/describe-repair.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import { readClusterFile } from '../../src/run/hetzner-talos/cluster-session.ts'
import { openStateStore } from '../../src/run/open-state-store.ts'
import { deriveSigningKey } from '../../src/store/trust/signing-key.ts'
import { type Bench, startBench } from './harness.ts'
import { KeyRing } from './key-bench.ts'
import { changesDuring, expectTidy, refs, setBranch, stateFiles } from './world-facts.ts'

const branch = 'hcloud-talos'
const run = promisify(execFile)

let bench: Bench
let ring: KeyRing
let file: ClusterFile
/** The branch as the last apply left it. */
let good: string
let generation: number

const firewall = () => [...bench.sandbox.world.hetzner.firewalls.values()][0]

async function git(...args: string[]): Promise<string> {
  const who = ['-c', 'user.name=Mallory', '-c', 'user.email=mallory@localhost']
  const { stdout } = await run('git', [...who, '-C', bench.sandbox.endpoints.git.folder, ...args])
  return stdout.trim()
}

/** Works on the branch in a clone, and pushes what is there then by force. */
async function tamper(work: (clone: string, git: Git) => Promise<unknown>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tamper-'))
  const clone = join(folder, 'clone')
  await git('clone', '--quiet', '--branch', branch, '.', clone)
  const inClone: Git = (...args) => git('-C', clone, ...args)
  await work(clone, inClone)
  await git('-C', clone, 'push', '--quiet', '--force', 'origin', `HEAD:${branch}`)
  await rm(folder, { recursive: true })
}

type Git = (...args: string[]) => Promise<string>

const commit = async (inClone: Git, message = 'Innocent') => {
  await inClone('add', '--all')
  await inClone('commit', '--quiet', '--allow-empty', '--message', message)
}

const edit = async (clone: string, path = 'demo/inventory.json') =>
  writeFile(join(clone, path), `${await readFile(join(clone, path), 'utf8')}\n`)

const verify = () => verifyState(ring.holding([]), file)
const codes = async () => (await verify()).problems.map(({ error }) => error.code)

const yes = async () => 'Mallory merged it; Ben looked at it'
const repair = (more: { acceptsOlder?: boolean } = {}) =>
  repairState(ring.holding(), { file, confirm: yes, ...more })

/** Some generations more, which Hetzner is made to remember. */
async function goOn(count = 4): Promise<void> {
  const store = await openStateStore(ring.holding(), readClusterFile(file).spec)
  for (let each = 0; each < count; each++) await store.record({ fact: 'secrets-minted' })
  generation = (await store.read())?.manifest.generation ?? 0
  await store.close()
  const wall = firewall()
  if (wall) wall.labels = { ...wall.labels, generation: String(generation) }
  good = (await refs(bench))[branch] ?? ''
}

beforeAll(async () => {
  bench = await startBench()
  ring = await KeyRing.begin(bench)
  file = await ring.file()
  await applyCluster(ring.holding(), { file })
  await goOn()
})
afterAll(() => bench[Symbol.asyncDispose]())
beforeEach(async () => {
  await setBranch(bench, good)
  const wall = firewall()
  if (wall) wall.labels = { ...wall.labels, generation: String(generation), 'key-epoch': '1' }
})

const wounds: [string, ErrorCode[], 'stops' | 'goes on', Parameters<typeof tamper>[0]][] = [
  [
    'a file that was edited',
    ['state-file-changed'],
    'stops',
    async (clone, inClone) => {
      await edit(clone)
      await commit(inClone)
    },
  ],
  [
    'a file that was edited and put back by hand',
    ['state-file-changed'],
    'goes on',
    async (clone, inClone) => {
      await edit(clone)
      await commit(inClone)
      await inClone('checkout', '--quiet', 'HEAD~1', '--', '.')
      await commit(inClone, 'Put it back')
    },
  ],
  [
    'a file that was deleted',
    ['state-file-missing'],
    'stops',
    async (clone, inClone) => {
      await rm(join(clone, 'demo/secrets.sops.yaml'))
      await commit(inClone)
    },
  ],
  [
    'a signature that was deleted',
    ['state-unsigned'],
    'stops',
    async (clone, inClone) => {
      await rm(join(clone, 'demo/manifest.sig'))
      await commit(inClone)
    },
  ],
  [
    'a merge commit',
    ['state-chain-broken'],
    'goes on',
    async (_, inClone) => {
      await inClone('checkout', '--quiet', '-b', 'mine', 'HEAD~2')
      await inClone('commit', '--quiet', '--allow-empty', '--message', 'Mine')
      await inClone('checkout', '--quiet', branch)
      await inClone('merge', '--quiet', '--no-edit', 'mine')
    },
  ],
  [
    'a merge by a stale clone, whose own line comes first',
    ['state-file-changed', 'state-chain-broken', 'state-chain-broken'],
    'goes on',
    async (clone, inClone) => {
      await inClone('checkout', '--quiet', '-b', 'stale', 'HEAD~3')
      await edit(clone)
      await commit(inClone)
      await inClone('merge', '--quiet', '--no-commit', '-s', 'ours', branch)
      await inClone('checkout', '--quiet', branch, '--', '.')
      await commit(inClone, 'Merge')
    },
  ],
  [
    'a squash of all of it by a colleague',
    ['state-chain-broken'],
    'goes on',
    async (_, inClone) => {
      await inClone('checkout', '--quiet', '--orphan', 'squashed')
      await commit(inClone, 'Squash')
    },
  ],
  [
    'a squash of its middle',
    ['state-chain-broken'],
    'goes on',
    async (_, inClone) => {
      const tree = await inClone('rev-parse', 'HEAD^{tree}')
      const squashed = await inClone('commit-tree', '-p', 'HEAD~3', '-m', 'Squash', tree)
      await inClone('reset', '--quiet', '--hard', squashed)
    },
  ],
  [
    'a README that GitHub made',
    ['state-foreign'],
    'stops',
    async (clone, inClone) => {
      await writeFile(join(clone, 'README.md'), '# State\n')
      await commit(inClone)
    },
  ],
  [
    'a folder, a link and a file of nobody, over two commits',
    ['state-foreign', 'state-foreign', 'state-file-misplaced'],
    'stops',
    async (clone, inClone) => {
      await run('mkdir', [join(clone, 'src')])
      await writeFile(join(clone, 'src/index.ts'), 'x')
      await commit(inClone)
      await run('ln', ['-s', '/etc/passwd', join(clone, 'demo/passwd')])
      await writeFile(join(clone, 'demo/notes.txt'), 'notes')
      await commit(inClone)
    },
  ],
  [
    'a former generation on top',
    ['state-rolled-back'],
    'stops',
    async (_, inClone) => {
      await inClone('rm', '--quiet', '-r', '.')
      await inClone('checkout', '--quiet', 'HEAD~2', '--', '.')
      await commit(inClone)
    },
  ],
]

describe('every damage that verify can name', () => {
  it.each(wounds)('has a way back to green that is signed: %s', async (_, found, then, work) => {
    const before = await stateFiles(bench)
    await tamper(work)
    expect(await codes()).toEqual(found)
    const tip = (await refs(bench))[branch]
    // Plan and doctor name it at once, with the command.
    await expectNamed(then)
    // Nothing is signed that was not confirmed.
    let shown: RepairPlan | undefined
    const no = async (plan: RepairPlan) => {
      shown = plan
      return undefined
    }
    expect(await repairState(ring.holding(), { file, confirm: no })).toMatchObject({
      repaired: false,
    })
    expect((await refs(bench))[branch]).toBe(tip)
    expect(shown?.accepted.map(({ code }) => code)).toEqual(found)
    expect(shown?.accepted[0]?.note?.author).toBe('Mallory <mallory@localhost>')
    expect(shown?.base.generation).toBe(generation)

    const done = await repair()
    expect(done).toMatchObject({ repaired: true, generation: generation + 1 })
    expect(done.plan?.digest).toBe(shown?.digest)
    const after = await verify()
    expect(after.problems).toEqual([])
    expect(after.accepted.map(({ error, by }) => [error.code, by])).toEqual(
      found.map((code) => [code, generation + 1]),
    )
    // The past is not rewritten, and nothing of it was taken over: the files are those of the base.
    expect(await git('merge-base', tip ?? '', branch)).toBe(tip)
    const files = await stateFiles(bench)
    expect(Object.keys(files).sort()).toEqual(Object.keys(before).sort())
    for (const path of Object.keys(before)) {
      if (!/\/(manifest|journal)\./.test(path)) expect(files[path]).toBe(before[path])
    }
    expect(JSON.parse(files['demo/manifest.json'] ?? '').repair).toMatchObject({
      reason: 'Mallory merged it; Ben looked at it',
      confirmed: shown?.digest,
      base: generation,
      lost: null,
    })
    expect(firewall()?.labels['generation']).toBe(String(generation + 1))
    // A cluster as before, a branch that compacts, and nothing left to repair.
    const { plan } = await planCluster(ring.holding([]), { file, verb: 'apply' })
    expect(plan.changes).toEqual([])
    expect(plan.findings.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(await repair()).toMatchObject({ repaired: false, plan: undefined })
    await compactState(ring.holding(), { file })
    expect(await verify()).toMatchObject({ problems: [], commits: 1 })
    await expectTidy(bench)
  })
})

async function expectNamed(then: 'stops' | 'goes on'): Promise<void> {
  const planned = planCluster(ring.holding([]), { file, verb: 'apply' })
  if (then === 'stops') {
    await expect(planned).rejects.toMatchObject({
      hint: expect.stringContaining('hcloud-talos repair'),
    })
  } else {
    expect((await planned).plan.findings).toContainEqual(
      expect.objectContaining({ hint: expect.stringContaining('hcloud-talos repair') }),
    )
  }
  const diagnoses = await runDoctor(ring.holding(), { file })
  expect(diagnoses).toContainEqual(
    expect.objectContaining({
      area: 'state',
      verdict: 'bad',
      fix: expect.stringContaining('hcloud-talos repair'),
    }),
  )
}

it('a folder that was taken off the branch is put back while the cluster is there', async () => {
  await tamper(async (_, inClone) => {
    await inClone('rm', '--quiet', '-r', '.')
    await commit(inClone, 'Tidy up')
  })
  const expected = { code: 'state-missing', hint: expect.stringContaining('hcloud-talos repair') }
  await expect(planCluster(ring.holding([]), { file, verb: 'apply' })).rejects.toMatchObject(
    expected,
  )
  const tip = await git('rev-parse', branch)
  const message = expect.stringContaining('the folder demo is gone')
  expect((await verify()).problems).toMatchObject([
    { commit: tip, error: { ...expected, message } },
  ])
  // Without a token nobody says that everything is healthy either.
  const blind = await verifyState({ ...ring.holding([]), hetznerToken: undefined }, file)
  expect(describeAudit(blind)).toContain(
    `demo is gone from the branch: generation ${generation} was the last, until ${tip.slice(0, 12)}`,
  )
  const done = await repair()
  expect(done.plan?.restored).toContain('secrets.sops.yaml')
  expect(done).toMatchObject({ repaired: true, generation: generation + 1 })
  expect(await codes()).toEqual([])
  const { plan } = await planCluster(ring.holding([]), { file, verb: 'apply' })
  expect(plan.changes).toEqual([])
})

describe('a branch that was forced back', () => {
  it('by four generations is not as it was written for whoever can ask Hetzner, and is not exported', async () => {
    await setBranch(bench, await git('rev-parse', `${good}~4`))
    const blind = { ...ring.holding([]), hetznerToken: undefined }
    expect((await verifyState(blind, file)).answer).toEqual({ kind: 'not asked' })
    expect(await exportState(blind, file)).toMatchObject({ isNewest: false })
    expect(await codes()).toEqual(['state-rolled-back'])
    await expect(exportState(ring.holding([]), file)).rejects.toMatchObject({
      code: 'state-rolled-back',
    })
    await expect(compactState(ring.holding(), { file })).rejects.toMatchObject({
      code: 'state-rolled-back',
    })
  })

  it('is gone on with on demand only, above what Hetzner remembers, and the gap is explained', async () => {
    await setBranch(bench, await git('rev-parse', `${good}~4`))
    const { world } = bench.sandbox
    const before = await refs(bench)
    const changes = await changesDuring(world, () =>
      expect(repair()).rejects.toMatchObject({
        code: 'state-rolled-back',
        hint: expect.stringContaining('--accept-older'),
      }),
    )
    expect(changes).toEqual([])
    expect((await refs(bench))[branch]).toBe(before[branch])
    const done = await repair({ acceptsOlder: true })
    expect(done).toMatchObject({ repaired: true, generation: generation + 1 })
    expect(done.plan).toMatchObject({ lost: generation, base: { generation: generation - 4 } })
    expect(await codes()).toEqual([])
    // What was lost and comes back by force is the past now.
    await setBranch(bench, good)
    await expect(planCluster(ring.holding([]), { file, verb: 'apply' })).rejects.toMatchObject({
      code: 'state-rolled-back',
    })
  })

  it('and damaged on top of that is not laundered by the damage', async () => {
    await setBranch(bench, await git('rev-parse', `${good}~4`))
    await tamper(async (clone, inClone) => {
      await edit(clone)
      await commit(inClone)
    })
    await expect(repair()).rejects.toMatchObject({ code: 'state-rolled-back' })
  })

  it('is not gone on with where Hetzner has forgotten how far it had come, unless that is meant', async () => {
    const wall = firewall()
    if (!wall) throw new Error('the cluster has no firewall')
    const { generation: _, 'key-epoch': __, ...labels } = wall.labels
    wall.labels = labels
    await tamper(async (clone, inClone) => {
      await edit(clone)
      await commit(inClone)
    })
    await expect(repair()).rejects.toMatchObject({
      code: 'state-rolled-back',
      message: expect.stringContaining('is not known'),
    })
    expect(await repair({ acceptsOlder: true })).toMatchObject({ repaired: true })
    expect(firewall()?.labels['generation']).toBe(String(generation + 1))
  })

  it('is answered by a genuine newer bundle, which takes its place', async () => {
    const { bundle } = await exportState(ring.holding([]), file)
    await setBranch(bench, await git('rev-parse', `${good}~4`))
    expect(await importState(ring.holding(), { file, bundle })).toMatchObject({
      from: generation,
      generation: generation + 1,
    })
    expect(await codes()).toEqual([])
  })
})

it('a repair that died right after its push is anchored by the next one', async () => {
  await tamper(async (clone, inClone) => {
    await edit(clone)
    await commit(inClone)
  })
  await repair()
  // As it is where the run ends before it reports to Hetzner.
  const wall = firewall()
  if (wall) wall.labels = { ...wall.labels, generation: String(generation) }
  expect(await repair()).toMatchObject({ repaired: false, plan: undefined })
  expect(firewall()?.labels['generation']).toBe(String(generation + 1))
  await setBranch(bench, good)
  expect(await codes()).toEqual(['state-rolled-back'])
})

describe('whoever attacks by a repair', () => {
  it('without the key signs nothing', async () => {
    await tamper(async (clone, inClone) => {
      await edit(clone)
      await commit(inClone)
    })
    const before = await refs(bench)
    for (const [identity, code] of [
      [undefined, 'identity-missing'],
      [await generateX25519Identity(), 'state-signer-unknown'],
      [ring.offline, 'state-signer-unknown'],
    ] as const) {
      const context = ring.holding(identity === undefined ? [] : [identity])
      await expect(repairState(context, { file, confirm: yes })).rejects.toMatchObject({ code })
    }
    const hetznerToken = bench.sandbox.endpoints.hcloud.readOnlyToken
    await expect(
      repairState({ ...ring.holding(), hetznerToken }, { file, confirm: yes }),
    ).rejects.toMatchObject({ code: 'token-read-only' })
    expect((await refs(bench))[branch]).toBe(before[branch])
  })

  it('who pushes while somebody looks, has nothing of it accepted', async () => {
    await tamper(async (clone, inClone) => {
      await edit(clone)
      await commit(inClone)
    })
    const confirm = async () => {
      await tamper(async (clone, inClone) => {
        await edit(clone, 'demo/journal.json')
        await commit(inClone)
      })
      return 'looked at'
    }
    await expect(repairState(ring.holding(), { file, confirm })).rejects.toMatchObject({
      code: 'repair-refused',
      message: expect.stringContaining('moved'),
    })
    expect(await codes()).toEqual(['state-file-changed', 'state-file-changed'])
  })

  it('finds that an acceptance covers one commit and one fault, and no later one of the kind', async () => {
    const wound = () =>
      tamper(async (clone, inClone) => {
        await edit(clone)
        await commit(inClone)
      })
    await wound()
    const { plan: first } = await repair()
    await wound()
    expect(await codes()).toEqual(['state-file-changed'])
    let second: RepairPlan | undefined
    const look = async (plan: RepairPlan) => {
      second = plan
      return undefined
    }
    await repairState(ring.holding(), { file, confirm: look })
    expect(second?.digest).not.toBe(first?.digest)
    expect(second?.accepted).toHaveLength(1)
  })

  it('with a former key, after a rotation, is never made the newest', async () => {
    const before = (await refs(bench))[branch]
    await ring.add()
    const rotated = await ring.file()
    await rotateKeys(ring.holding(), { file: rotated })
    const present = (await refs(bench))[branch]
    await setBranch(bench, before)
    const thief = await openStateStore(
      ring.holding(ring.identities.slice(0, 1)),
      readClusterFile(rotated).spec,
    )
    for (let each = 0; each < 6; each++) await thief.record({ fact: 'destroy-started' })
    await thief.close()
    for (const acceptsOlder of [false, true]) {
      await expect(
        repairState(ring.holding(), { file: rotated, confirm: yes, acceptsOlder }),
      ).rejects.toMatchObject({ code: 'state-rolled-back' })
    }
    expect(deriveSigningKey({ secret: ring.newest }).signer).toMatch(/^hts1/)
    await setBranch(bench, present)
  })
})
