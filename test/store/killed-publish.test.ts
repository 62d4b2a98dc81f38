import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import type { AgeIdentity } from '../../src/store/trust/identity.ts'
import {
  branch,
  git,
  makeFolder,
  makeIdentity,
  makeInventory,
  makeRemote,
  makeStore,
} from './state-fixture.ts'

const script = resolve(import.meta.dirname, 'publishing-process.ts')

/** When the run is killed: as it starts git for the n-th time, or when that git has done its work. */
interface Kill {
  readonly at: number
  readonly when: 'before' | 'after'
}

/** A run in a process of its own that git kills; whether it came to its end before. */
async function runUntilKilled(remote: string, identity: AgeIdentity, { at, when }: Kill) {
  const folder = await makeFolder()
  const [bin, count] = [join(folder, 'bin'), join(folder, 'count')]
  const path = process.env['PATH'] ?? ''
  await mkdir(bin)
  await writeFile(count, '0')
  const wrapper = `#!/bin/sh
number=$(($(cat '${count}') + 1))
echo $number >'${count}'
[ $number = ${at} ] && [ ${when} = before ] && kill -9 $PPID && exit 1
PATH='${path}' git "$@"
code=$?
[ $number = ${at} ] && kill -9 $PPID
exit $code
`
  await writeFile(join(bin, 'git'), wrapper, { mode: 0o755 })
  const child = spawn(process.execPath, [script, remote, 'killed'], {
    env: { PATH: `${bin}:${path}`, HOME: folder, TMPDIR: folder, IDENTITY: identity.secret },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (chunk) => {
    output += String(chunk)
  })
  const ended = await new Promise<{ code: number | null; signal: NodeJS.Signals | null }>(
    (done, fail) => {
      child.once('error', fail)
      child.once('close', (code, signal) => done({ code, signal }))
    },
  )
  if (ended.signal !== 'SIGKILL') expect([ended.code, output]).toEqual([0, ''])
  return { isComplete: ended.signal === null, calls: Number(await readFile(count, 'utf8')) }
}

const facts = ['etcd-bootstrap-started', 'etcd-bootstrapped']

it.each(['before', 'after'] as const)(
  'a run that is killed %s any of its steps leaves a branch that verifies and that the next run continues from',
  async (when) => {
    const identity = await makeIdentity()
    const identities = [identity]
    for (let at = 1; ; at++) {
      const remote = await makeRemote()
      const { isComplete, calls } = await runUntilKilled(remote, identity, { at, when })
      const next = await makeStore({
        remote,
        identities,
        writer: { run: 'next', attempt: 1, host: 'here' },
      })
      const left = await next.audit()
      expect(left.problems).toEqual([])
      // What it had written is there, in its order and without a gap.
      const journal = (await next.read())?.journal.map(({ fact }) => fact) ?? []
      expect(journal).toEqual(facts.slice(0, journal.length))

      await next.lock({ waitMs: 0, isRunOver: async () => true })
      await next.update((generation) => {
        const begun = { inventory: makeInventory(), secrets: 'cluster: { secret: two }\n' }
        return { ...(generation ? {} : begun), facts: [{ fact: 'upgrade-started' }] }
      }, 'Go on')
      const secrets = await next.readSecrets()
      expect(secrets).toContain(left.generations.length > 0 ? 'one' : 'two')
      await next.close()
      const reader = await makeStore({ remote, identities })
      const { problems, generations } = await reader.audit()
      expect(problems).toEqual([])
      expect(generations.at(-1)?.journal.map(({ fact }) => fact)).toEqual([
        ...journal,
        'upgrade-started',
      ])
      expect(await git(remote, 'for-each-ref', '--format=%(refname:short)')).toBe(branch)
      if (isComplete) {
        expect(journal).toEqual(facts)
        expect(calls).toBeGreaterThan(10)
        expect(at).toBe(calls + 1)
        return
      }
    }
  },
  600_000,
)
