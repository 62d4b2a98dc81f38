import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Redactor } from '../../src/lib/redactor.ts'
import { lockRef, stateRef } from '../../src/store/files/layout.ts'
import { createPrivateRepository } from '../../src/store/git/private-repository.ts'
import { pushArguments } from '../../src/store/git/push-arguments.ts'
import {
  afterTest,
  branch,
  git,
  makeFolder,
  makeInventory,
  makeRemote,
  makeStore,
  stillClock,
} from './state-fixture.ts'

const now = { waitMs: 0 }

/** A PATH on which git pushes ref by ref, whatever it is told. */
async function pathWithoutAtomic(): Promise<string> {
  const folder = await makeFolder()
  const path = process.env['PATH'] ?? ''
  const script = `#!/bin/sh
PATH='${path}'
for argument; do
  shift
  [ "$argument" = --atomic ] || set -- "$@" "$argument"
done
exec git "$@"
`
  await writeFile(join(folder, 'git'), script, { mode: 0o755 })
  return `${folder}:${path}`
}

/** Two appliers: the first one sleeps, its lock is taken over, and it wakes up in the middle of its work. */
async function wakeUpLate(environment: Readonly<Record<string, string | undefined>>) {
  const remote = await makeRemote()
  const writer = (run: string) => ({ run, attempt: 1, host: 'here' })
  const common = { remote, environment }
  const stale = await makeStore({ ...common, clock: stillClock, writer: writer('stale') })
  await stale.lock(now)
  await stale.update(() => ({ inventory: makeInventory() }), 'Begin')
  const next = await makeStore({ ...common, writer: writer('next') })
  await next.lock({ ...now, isRunOver: async () => true })
  await next.read()
  const woken = await stale.record({ fact: 'etcd-bootstrap-started' }).then(
    () => 'written',
    (error: { code?: string }) => error.code,
  )
  const reader = await makeStore({ remote })
  return { woken, journal: (await reader.read())?.journal.map(({ run }) => run) }
}

describe('an applier that wakes up after its lock was taken', () => {
  it('writes nothing', async () => {
    const { woken, journal } = await wakeUpLate(process.env)
    expect(woken).toBe('state-fenced')
    expect(journal).toEqual([])
  })

  it('would write without atomic pushes, which shows that the test above can fail', async () => {
    const { woken, journal } = await wakeUpLate({
      ...process.env,
      PATH: await pathWithoutAtomic(),
    })
    expect(woken).toBe('written')
    expect(journal).toEqual(['stale'])
  })
})

describe('a holder that lost its lock', () => {
  it('cannot write any more, and its write is refused as a whole', async () => {
    const remote = await makeRemote()
    const stale = await makeStore({
      remote,
      clock: stillClock,
      writer: { run: 'stale', attempt: 1, host: 'here' },
    })
    await stale.lock(now)
    await stale.update(() => ({ inventory: makeInventory() }), 'Begin')

    const next = await makeStore({ remote, writer: { run: 'next', attempt: 1, host: 'here' } })
    await next.lock({ ...now, isRunOver: async () => true })
    const before = await git(remote, 'rev-parse', branch)

    const write = stale.record({ fact: 'etcd-bootstrap-started' })
    await expect(write).rejects.toMatchObject({ code: 'state-fenced' })
    await expect(stale.record({ fact: 'etcd-bootstrapped' })).rejects.toMatchObject({
      code: 'state-fenced',
    })
    expect(await git(remote, 'rev-parse', branch)).toBe(before)
    await next.record({ fact: 'etcd-bootstrapped' })
    expect((await next.read())?.journal.map(({ fact }) => fact)).toEqual(['etcd-bootstrapped'])
  })

  it('would have written without an atomic push: the state moves although the lock does not', async () => {
    const remote = await makeRemote()
    const holder = await makeStore({ remote, writer: { run: 'next', attempt: 1, host: 'here' } })
    await holder.update(() => ({ inventory: makeInventory() }), 'Begin')
    await holder.lock(now)
    const head = await git(remote, 'rev-parse', branch)

    const temporaryFolder = await makeFolder()
    const repository = await createPrivateRepository({
      remote: { url: remote },
      environment: process.env,
      redactor: new Redactor(),
      temporaryFolder,
    })
    afterTest(() => repository.close())
    await repository.fetch(stateRef(branch))
    const file = new Map([['demo/journal.json', Buffer.from('stale')]])
    const [state = '', lock = ''] = await repository.commit(
      [
        { parent: head, message: 'Stale state', files: file },
        { parent: undefined, message: 'Stale lock', files: file },
      ],
      0,
    )
    // What a holder believes whose lock was taken: the state as it is, the lock as it was.
    const updates = [
      { ref: stateRef(branch), expected: head, next: state },
      { ref: lockRef(branch, 'demo'), expected: 'a'.repeat(40), next: lock },
    ]
    expect(await repository.push(updates)).toBe('rejected')
    expect(await git(remote, 'rev-parse', branch)).toBe(head)

    const [folder = ''] = await readdir(temporaryFolder)
    const partial = pushArguments(remote, updates).filter((argument) => argument !== '--atomic')
    await expect(git(join(temporaryFolder, folder), ...partial)).rejects.toThrow()
    expect(await git(remote, 'rev-parse', branch)).toBe(state)
  })
})
