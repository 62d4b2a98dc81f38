import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { openSnapshot, sealSnapshot } from '../../../src/backup/sealed-snapshot.ts'
import { etcdSnapshot, inPieces, metadata, readAll } from '../../backup/snapshot-fixture.ts'
import { makeFolder } from '../../store/state-fixture.ts'
import { agePrograms } from './store-peers.ts'

const programs = await agePrograms()
const run = promisify(execFile)
const snapshot = etcdSnapshot(2_000)

const kinds: [string, string[]][] = [
  ['classic', []],
  ['post-quantum', ['-pq']],
]

describe.each(kinds)('age, with a %s key', (_, flags) => {
  it('opens a snapshot of ours, passes over what it says of itself, and finds what etcd wrote', async () => {
    const folder = await makeFolder()
    const [key, sealed] = [join(folder, 'key.txt'), join(folder, 'demo.etcd.age')]
    await run(join(programs, 'age-keygen'), [...flags, '-o', key])
    const { stdout: recipient } = await run(join(programs, 'age-keygen'), ['-y', key])
    const recipients = [recipient.trim()]
    const sign = () => 'hts1 signature'
    const bytes = sealSnapshot(inPieces(snapshot, 50_000), { recipients, metadata, sign })
    await writeFile(sealed, await readAll(bytes))
    const { stdout } = await run(join(programs, 'age'), ['-d', '-i', key, sealed], {
      encoding: 'buffer',
      maxBuffer: 64 << 20,
    })
    expect(stdout.equals(snapshot)).toBe(true)

    const [, identity = ''] = /^(AGE-SECRET-KEY-\S+)$/m.exec(await readFile(key, 'utf8')) ?? []
    const { signed } = await openSnapshot(inPieces(await readFile(sealed), 4_096), [identity])
    expect(signed.metadata).toEqual(metadata)
  })
})
