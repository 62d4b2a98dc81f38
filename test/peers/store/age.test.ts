import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { systemRandom } from '../../../src/lib/random.ts'
import { Redactor } from '../../../src/lib/redactor.ts'
import { unwrapDataKey, wrapDataKey } from '../../../src/store/sops/data-key.ts'
import { parseIdentities } from '../../../src/store/trust/identity.ts'
import { makeFolder } from '../../store/state-fixture.ts'
import { agePrograms } from './store-peers.ts'

const programs = await agePrograms()
const run = promisify(execFile)

const kinds: [string, string[]][] = [
  ['classic', []],
  ['post-quantum', ['-pq']],
]

describe.each(kinds)('age, with a %s key', (_, flags) => {
  async function keys() {
    const file = join(await makeFolder(), 'key.txt')
    await run(join(programs, 'age-keygen'), [...flags, '-o', file])
    const identities = await parseIdentities(await readFile(file, 'utf8'), new Redactor())
    return { file, identities }
  }

  it('agrees with us about the public half of what age-keygen wrote', async () => {
    const { file, identities } = await keys()
    const { stdout } = await run(join(programs, 'age-keygen'), ['-y', file])
    expect(identities[0].recipient).toBe(stdout.trim())
  })

  it('opens the data key of a file of ours', async () => {
    const { file, identities } = await keys()
    const key = systemRandom.bytes(32)
    const [wrapped] = await wrapDataKey(key, [identities[0].recipient])
    const sealed = join(await makeFolder(), 'data-key.age')
    await writeFile(sealed, wrapped?.enc ?? '')
    const { stdout } = await run(join(programs, 'age'), ['-d', '-i', file, sealed], {
      encoding: 'buffer',
    })
    expect(stdout.equals(Buffer.from(key))).toBe(true)
  })

  it('wraps a data key that we open', async () => {
    const { identities } = await keys()
    const [{ recipient }] = identities
    const key = systemRandom.bytes(32)
    const folder = await makeFolder()
    await writeFile(join(folder, 'key'), key)
    const args = ['-a', '-r', recipient, join(folder, 'key')]
    const { stdout } = await run(join(programs, 'age'), args, { encoding: 'utf8' })
    expect(await unwrapDataKey([{ recipient, enc: stdout }], identities)).toEqual(key)
  })
})
