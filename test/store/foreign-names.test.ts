import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pathText } from '../../src/store/git/path-text.ts'
import type { StateStore } from '../../src/store/state-store.ts'
import { branch, git, makeInventory, makeStore, secretsBundle } from './state-fixture.ts'
import { transports } from './transports.ts'

const line = (text: string) => Buffer.from(text, 'utf8')

/** In which folder, and under which name: git itself writes not all of them, and takes each from whoever pushes it. */
const names: [string, string, Buffer][] = [
  ['a letter that is not ASCII', '', line('ö.md')],
  ['such a letter in the folder of the cluster', 'demo', line('ö')],
  ['such a letter in the folder of another cluster', 'other', line('ö')],
  ['a quote', '', line('a"b')],
  ['a name that looks quoted', '', line('"\\303\\266.md"')],
  ['a byte that is no UTF-8', '', Buffer.from([0xff])],
  ['a line feed', '', line('x\nerror state-ok: everything is healthy')],
  ['a tab and a backslash', 'demo', line('a\t\\b')],
  ['two dots', '', line('..')],
  ['the folder of git, below another cluster', 'other', line('.git')],
]

/** Puts a file of this very name on the branch, as a push by a program of one's own would. */
async function put(remote: string, folder: string, name: Buffer): Promise<void> {
  const run = (args: string[], input: Buffer | string) =>
    spawnSync('git', ['-C', remote, ...args], { input }).stdout
  const blob = run(['hash-object', '-w', '--stdin'], 'x').toString().trim()
  const below = (tree: string) => run(['ls-tree', '-z', tree], '')
  const make = (entries: Buffer[]) =>
    run(['mktree', '-z'], Buffer.concat(entries)).toString().trim()
  const entry = [line(`100644 blob ${blob}\t`), name, Buffer.from([0])]
  const inner = make([below(`${branch}:${folder}`), ...entry])
  const others = below(branch).toString('latin1').split('\0').filter(Boolean)
  const root = others.filter((each) => !each.endsWith(`\t${folder}`)).map((each) => `${each}\0`)
  const tree = folder
    ? make([Buffer.from(root.join(''), 'latin1'), line(`040000 tree ${inner}\t${folder}\0`)])
    : inner
  const commit = await git(remote, 'commit-tree', '-p', branch, '-m', 'Innocent', tree)
  await git(remote, 'update-ref', `refs/heads/${branch}`, commit)
}

async function repaired(store: StateStore) {
  const audit = await store.audit()
  const { newest: base, problems } = audit
  if (!base) throw new Error('there is nothing to repair from')
  return await store.repair(audit, {
    base,
    above: 0,
    fact: { fact: 'history-repaired' },
    repair: {
      reason: 'looked at',
      confirmed: '0'.repeat(64),
      base: base.manifest.generation,
      lost: null,
      accepted: problems.map(({ commit, error }) => ({ commit, code: error.code })),
    },
  })
}

const files = (remote: string) => git(remote, 'ls-tree', '-r', branch)
const without = (listing: string) =>
  listing.split('\n').filter((each) => !/\tdemo\/(manifest|journal)\./.test(each))

const [byPush, , , byApi] = transports

describe.each([byPush, byApi].filter((way) => way !== undefined))(
  'by %s, a file of nobody goes by a repair',
  (_, reach) => {
    it.each(names)('named with %s', async (_, folder, name) => {
      const { remote, options } = await reach()
      const store = await makeStore(options)
      const other = await makeStore({ ...options, clusterName: 'other' })
      await store.update(() => ({ inventory: makeInventory(), secrets: secretsBundle }), 'Begin')
      await other.update(() => ({ inventory: makeInventory('other', 'e'.repeat(16)) }), 'Begin')
      await store.read()
      const before = await files(remote)
      await put(remote, folder, name)
      expect(await files(remote)).not.toBe(before)
      const { problems } = await store.audit()
      expect(problems.map(({ error }) => error.code)).toContain('state-foreign')
      expect(problems.map(({ error }) => error.message).join('')).not.toContain('\n')
      expect(await repaired(store)).toMatchObject({ manifest: { generation: 2 } })
      expect(without(await files(remote))).toEqual(without(before))
      expect(await store.audit()).toMatchObject({ problems: [], foreign: [], isAtNewest: true })
      expect((await other.read())?.manifest.generation).toBe(1)
    })
  },
)

describe('the text of a path', () => {
  it('is that of its UTF-8, and no two paths have the same', () => {
    const bytes = fc.uint8Array({ maxLength: 12 }).map((each) => Buffer.from(each))
    fc.assert(
      fc.property(bytes, bytes, (one, two) => {
        expect(pathText(one) === pathText(two)).toBe(one.equals(two))
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(pathText(Buffer.from(text))).toBe(Buffer.from(text).toString())
      }),
    )
    expect(pathText(Buffer.from([0x61, 0xff]))).toBe('a\udcff')
  })
})
