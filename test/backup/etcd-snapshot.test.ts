import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkedSnapshot, type SnapshotFacts } from '../../src/backup/etcd-snapshot.ts'
import { etcdSnapshot, inPieces, readAll } from './snapshot-fixture.ts'

async function check(bytes: Uint8Array, length: number) {
  const facts: SnapshotFacts[] = []
  const passed = await readAll(checkedSnapshot(inPieces(bytes, length), (one) => facts.push(one)))
  return { passed, facts }
}

test('a whole snapshot passes unchanged, whatever the pieces in which it comes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 3_000 }),
      async (pages, length) => {
        const snapshot = etcdSnapshot(pages)
        const { passed, facts } = await check(snapshot, length)
        expect(passed.equals(snapshot)).toBe(true)
        const digest = createHash('sha256').update(snapshot.subarray(0, -32)).digest('hex')
        expect(facts).toEqual([{ size: snapshot.length, digest }])
      },
    ),
  )
})

test('one that was changed or cut off anywhere is damaged, and its end is never passed on', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.boolean(), async (where, isCut) => {
      const snapshot = etcdSnapshot(3)
      const at = where % snapshot.length
      const changed = Buffer.from(snapshot)
      changed[at] = (changed[at] ?? 0) ^ 1
      const facts: SnapshotFacts[] = []
      let passed = 0
      const read = async () => {
        const bytes = isCut ? snapshot.subarray(0, at) : changed
        for await (const chunk of checkedSnapshot(inPieces(bytes, 700), (one) => facts.push(one))) {
          passed += chunk.length
        }
      }
      await expect(read()).rejects.toMatchObject({ code: 'snapshot-damaged' })
      expect(facts).toEqual([])
      expect(passed).toBeLessThan(snapshot.length)
    }),
  )
})
