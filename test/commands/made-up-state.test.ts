import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { beforeEach, expect, it } from 'vitest'
import { adoptInMode } from '../../src/commands/modes/adopt-in-mode.ts'
import { applyInMode } from '../../src/commands/modes/apply-in-mode.ts'
import {
  removeSecretInMode,
  setSecretInMode,
} from '../../src/commands/modes/change-secret-in-mode.ts'
import { closeRunInMode } from '../../src/commands/modes/close-run-in-mode.ts'
import { compactInMode } from '../../src/commands/modes/compact-in-mode.ts'
import { exportInMode } from '../../src/commands/modes/export-in-mode.ts'
import { importInMode } from '../../src/commands/modes/import-in-mode.ts'
import { listSecretsInMode } from '../../src/commands/modes/list-secrets-in-mode.ts'
import { recoverInMode } from '../../src/commands/modes/recover-in-mode.ts'
import { repairInMode } from '../../src/commands/modes/repair-in-mode.ts'
import { revokeInMode } from '../../src/commands/modes/revoke-in-mode.ts'
import { rotateInMode } from '../../src/commands/modes/rotate-in-mode.ts'
import { verifyInMode } from '../../src/commands/modes/verify-in-mode.ts'
import { ClusterError } from '../../src/lib/cluster-error.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import type { HeldByRun } from '../../src/run/held-by-run.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import { deriveSigningKey } from '../../src/store/trust/signing-key.ts'
import { branch, git, makeFolder, makeRemote } from '../store/state-fixture.ts'
import { boxFile, Cupboard, madeUpMode } from './made-up-mode.ts'
import { madeUpRun } from './made-up-run.ts'

// What is done to the state of a cluster, in a mode with neither Hetzner nor Talos (ADR 40).
let cupboard: Cupboard
let remote: string
/** Of the cluster's runs, the newest last. */
let identities: string[]

beforeEach(async () => {
  cupboard = new Cupboard()
  remote = await makeRemote()
  identities = [await generateX25519Identity()]
})

const mode = () => madeUpMode(cupboard)
const run = (): Promise<RunContext> => madeUpRun(remote, identities.join('\n'))

/** As it was reviewed: the newest identity reads, and all sign that ever did. */
async function file(boxes = 2): Promise<ClusterFile> {
  const recipients = [await identityToRecipient(identities.at(-1) ?? '')]
  const signers = identities.map((secret) => deriveSigningKey({ secret }).signer)
  return boxFile(boxes, '1.35.0', { recipients, signers })
}

const apply = async () => applyInMode(mode(), await run(), { file: await file() })
const verify = async () => verifyInMode(mode(), await run(), await file())
const list = async () => listSecretsInMode(mode(), await run(), await file())

async function set(name: string, value: string) {
  return setSecretInMode(mode(), await run(), { file: await file(), name, value })
}

it('keeps secrets by name, begins with them, and forgets those that are removed', async () => {
  await set('till', 'a value that is long enough')
  expect(await list()).toMatchObject([{ name: 'till', kept: { version: 1, origin: 'set' } }])
  await apply()
  const input = { file: await file(), name: 'till', confirm: async () => true }
  expect(await removeSecretInMode(mode(), await run(), input)).toMatchObject({ changed: true })
  expect(await list()).toEqual([])
  expect(cupboard.anchor?.generation).toBe((await verify()).generations.at(-1)?.manifest.generation)
})

it('is handed over to a new key, and the former one opens nothing new', async () => {
  await set('till', 'a value that is long enough')
  await apply()
  identities.push(await generateX25519Identity())
  const done = await rotateInMode(mode(), await run(), { file: await file() })
  expect(done).toMatchObject({ rotated: true, keyEpoch: 2, proven: { files: 1, identities: 1 } })
  expect(cupboard.anchor).toMatchObject({ keyEpoch: 2, generation: done.generation })
  expect((await verify()).problems).toEqual([])
})

it('gets other locks by a revocation, which names what stays valid before it is confirmed', async () => {
  await apply()
  identities.push(await generateX25519Identity())
  const shown: string[] = []
  const confirm =
    (answer: boolean) =>
    async (words: { readonly stillValid: readonly { readonly what: string }[] }) => {
      shown.push(...words.stillValid.map(({ what }) => what))
      return answer
    }
  const revoke = async (answer: boolean) =>
    revokeInMode(mode(), await run(), { file: await file(), confirm: confirm(answer) })
  const before = cupboard.done.length
  const written = (await verify()).newest?.manifest.generation
  expect(await revoke(false)).toMatchObject({ revoked: false, nodes: 0 })
  expect([cupboard.done.length, shown]).toEqual([before, ['the cupboard']])
  expect((await verify()).newest?.manifest.generation).toBe(written)
  expect(await revoke(true)).toMatchObject({ revoked: true, nodes: 2, isFormerTried: true })
  expect(cupboard.done.slice(before)).toEqual([
    'another lock for demo-control-plane-1',
    'another lock for demo-control-plane-2',
  ])
  await expect(revoke(true)).rejects.toMatchObject({ code: 'rotation-unprepared' })
})

it('is not revoked while an apply is due', async () => {
  await apply()
  identities.push(await generateX25519Identity())
  const input = { file: await file(3) }
  await expect(revokeInMode(mode(), await run(), input)).rejects.toMatchObject({
    code: 'revocation-refused',
    message:
      'demo does not match its file (create server/demo-control-plane-3): nothing was revoked',
  })
})

it('is compacted to one commit, which is remembered where its machines are made', async () => {
  await apply()
  const done = await compactInMode(mode(), await run(), { file: await file() })
  expect(done.compacted).toBe(true)
  expect(cupboard.anchor?.generation).toBe(done.generation)
  expect(await verify()).toMatchObject({ commits: 1, problems: [] })
})

it('comes back from an export onto a branch that is lost, and not from an older one unasked', async () => {
  await apply()
  const exported = await exportInMode(mode(), await run(), await file())
  expect(exported).toMatchObject({
    answer: { kind: 'answered', anchor: { generation: exported.generation } },
    provider: { name: 'the cupboard' },
  })
  await set('till', 'a value that is long enough')
  await git(remote, 'update-ref', '-d', `refs/heads/${branch}`)
  await expect(verify()).rejects.toMatchObject({ code: 'state-missing' })
  const input = { file: await file(), bundle: exported.bundle }
  await expect(importInMode(mode(), await run(), input)).rejects.toMatchObject({
    code: 'state-rolled-back',
  })
  const older = { ...input, acceptsOlder: true }
  const done = await importInMode(mode(), await run(), older)
  expect(done.from).toBe(exported.generation)
  expect(cupboard.anchor?.generation).toBe(done.generation)
  expect((await verify()).problems).toEqual([])
})

it('is repaired after somebody else wrote to its branch, and what was said of it names its provider', async () => {
  await apply()
  const { generations } = await verify()
  await spoil()
  expect((await verify()).problems).not.toEqual([])
  const input = { file: await file(), confirm: async () => 'merged by mistake' }
  const done = await repairInMode(mode(), await run(), input)
  expect(done.repaired).toBe(true)
  expect(done.generation).toBe((generations.at(-1)?.manifest.generation ?? 0) + 1)
  expect((await verify()).problems).toEqual([])
  cupboard.anchor = { generation: done.generation + 7, keyEpoch: 1 }
  expect((await verify()).problems).toMatchObject([
    {
      error: {
        code: 'state-rolled-back',
        message: expect.stringContaining('the cupboard remembers'),
      },
    },
  ])
})

it('is not recreated by who could not have it remembered, and nothing is written', async () => {
  await apply()
  await git(remote, 'update-ref', '-d', `refs/heads/${branch}`)
  const { machines, ...rest } = mode()
  const readOnly = {
    ...rest,
    machines: {
      ...machines,
      async requireWrite() {
        throw new ClusterError('token-read-only', 'the cupboard is read-only')
      },
    },
  }
  const wayIn = { kind: 'secrets', text: 'the key of the cupboard' } as const
  const input = { file: await file(), wayIn }
  await expect(recoverInMode(readOnly, await run(), input)).rejects.toMatchObject({
    code: 'token-read-only',
  })
  expect(await git(remote, 'for-each-ref')).toBe('')
})

it('is recreated out of its boxes once its branch is lost, behind what is remembered of it', async () => {
  await apply()
  const before = cupboard.anchor?.generation ?? 0
  const wayIn = { kind: 'secrets', text: 'the key of the cupboard' } as const
  const recover = async () => recoverInMode(mode(), await run(), { file: await file(), wayIn })
  await expect(recover()).rejects.toMatchObject({ code: 'recovery-impossible' })
  await git(remote, 'update-ref', '-d', `refs/heads/${branch}`)
  const done = await recover()
  expect(done.nodes).toEqual(['demo-control-plane-1', 'demo-control-plane-2'])
  expect(done.plan.changes).toEqual([])
  expect(done.generation).toBeGreaterThan(before)
  expect(cupboard.anchor?.generation).toBeGreaterThanOrEqual(done.generation)
  expect((await verify()).problems).toEqual([])
})

it('is adopted where somebody else filled the boxes, once that is confirmed', async () => {
  await apply()
  const adopt = async (isConfirmed: boolean) => {
    const shown: string[] = []
    const confirm = async (lines: readonly string[]) => {
      shown.push(...lines)
      return isConfirmed
    }
    return { done: await adoptInMode(mode(), await run(), { file: await file(), confirm }), shown }
  }
  await expect(adopt(true)).rejects.toMatchObject({
    code: 'plan-refused',
    findings: [{ path: ['clusterName'] }],
  })
  await git(remote, 'update-ref', '-d', `refs/heads/${branch}`)
  cupboard.anchor = undefined
  const refused = await adopt(false)
  expect(refused.done).toBeUndefined()
  expect(refused.shown).toContain('demo-control-plane-1')
  expect(await git(remote, 'for-each-ref', `refs/heads/${branch}`)).toBe('')
  const { done } = await adopt(true)
  expect(done?.nodes).toEqual(['demo-control-plane-1', 'demo-control-plane-2'])
  expect(done?.plan.changes).toEqual([])
  expect(cupboard.anchor).toMatchObject({ keyEpoch: 1 })
  expect((await verify()).problems).toEqual([])
  // Run again, it goes on with what it wrote.
  expect((await adopt(true)).done?.plan.changes).toEqual([])
})

it('is closed by what a run noted, without a file', async () => {
  const notes: HeldByRun[] = []
  const noting = { ...(await run()), onHold: (held: HeldByRun) => notes.push(held) }
  await applyInMode(mode(), noting, { file: await file() })
  const newest = cupboard.anchor
  cupboard.anchor = undefined
  expect(notes).toMatchObject([{ clusterName: 'demo', mode: 'boxes' }])
  const held = { clusterName: 'demo', uid: '0123456789abcdef', ...notes[0] }
  await closeRunInMode(mode(), await run(), held)
  expect(cupboard.anchor).toEqual(newest)
  expect(cupboard.done.at(-1)).toBe('close the cupboard of 0123456789abcdef')
})

/** A commit on the state branch that no run made. */
async function spoil(): Promise<void> {
  const clone = await makeFolder()
  await git(clone, 'clone', '--quiet', '--branch', branch, remote, '.')
  await git(clone, 'rm', '--quiet', 'demo/inventory.json')
  await git(clone, 'commit', '--quiet', '--message', 'clean up')
  await git(clone, 'push', '--quiet', 'origin', branch)
}
