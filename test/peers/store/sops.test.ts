import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/lib/json.ts'
import { systemRandom } from '../../../src/lib/random.ts'
import { machineConfigSecrets } from '../../../src/plan/config-secrets.ts'
import { decryptSops } from '../../../src/store/sops/decrypt-sops.ts'
import { encryptSops } from '../../../src/store/sops/encrypt-sops.ts'
import { mapLeaves } from '../../../src/store/sops/leaf.ts'
import { everything } from '../../../src/store/sops/secret-keys.ts'
import { yamlDocuments } from '../../../src/store/sops/yaml-documents.ts'
import { yamlText } from '../../../src/store/sops/yaml-text.ts'
import { mapTree, parseYamlTrees } from '../../../src/store/sops/yaml-tree.ts'
import { sopsDocument } from '../../store/sops/sops-values.ts'
import {
  machineConfig,
  makeFolder,
  makeIdentity,
  makeInventory,
  makeRemote,
  makeStore,
  secretsBundle,
} from '../../store/state-fixture.ts'
import { sopsProgram } from './store-peers.ts'

const sops = await sopsProgram()
const identity = await makeIdentity()
const identities = [identity]
const environment = { ...process.env, SOPS_AGE_KEY: identity.secret }

const runSops = async (...args: string[]) => {
  const run = promisify(execFile)
  const { stdout } = await run(sops, args, { env: environment, encoding: 'utf8' })
  return stdout
}

const seal = (documents: readonly JsonObject[], encryptedRegex: string) =>
  encryptSops(documents, {
    recipients: [identity.recipient],
    encryptedRegex,
    random: systemRandom,
    now: Date.now(),
  })

const plainDocuments = (text: string) =>
  parseYamlTrees(text)?.map((tree) => mapTree(tree, (leaf) => leaf))

/**
 * Whether sops can write a text in plain: in a list, it indents a block that begins with an empty line or a
 * space by less than it says, and cannot read it any more itself.
 */
const isWritable = (documents: readonly JsonObject[]) => {
  let writable = true
  for (const document of documents) {
    mapLeaves(document, (leaf) => {
      if (typeof leaf === 'string' && /^\s[\s\S]*\n|^\n/.test(leaf)) writable = false
      return leaf
    })
  }
  return writable
}

/** A comment before each key of the outermost level: nothing else begins a line there. */
const commented = (text: string) =>
  text.replaceAll(/^(?=[^\s#.%-])/gm, '# naïve: ☃ "quoted" # twice\n')

/** A few hundred files of one or two documents, the same in every run. */
const samples = fc.sample(
  fc.record({
    documents: fc.array(sopsDocument, { minLength: 1, maxLength: 2 }).filter(isWritable),
    regex: fc.constantFrom(everything, machineConfigSecrets, '^(token|a)$'),
  }),
  { numRuns: 200, seed: 3 },
)

describe('sops', () => {
  it('opens what we wrote, to the same documents', async () => {
    const folder = await makeFolder()
    for (const [index, { documents, regex }] of samples.entries()) {
      const file = join(folder, `${index}.yaml`)
      await writeFile(file, await seal(documents, regex))
      expect(plainDocuments(await runSops('decrypt', file))).toEqual(documents)
    }
  })

  it('opens the named secrets of a state, each with its value', async () => {
    const namedSecrets = { key: 'a "value"\nof two lines', token: 'x: #1' }
    const store = await makeStore({ remote: await makeRemote(), identities })
    const state = await store.update(() => ({ inventory: makeInventory(), namedSecrets }), 'Begin')
    const file = join(await makeFolder(), 'named-secrets.sops.yaml')
    await writeFile(file, state.files.get('named-secrets.sops.yaml') ?? '')
    expect(plainDocuments(await runSops('decrypt', file))).toEqual([{ secrets: namedSecrets }])
    expect(await runSops('decrypt', '--extract', '["secrets"]["token"]', file)).toBe('x: #1')
  })

  it('writes what we open, to the same documents', async () => {
    const folder = await makeFolder()
    for (const [index, { documents, regex }] of samples.entries()) {
      const file = join(folder, `${index}.yaml`)
      await writeFile(file, yamlText(documents))
      const rules = ['--age', identity.recipient, '--encrypted-regex', regex]
      const text = await runSops('encrypt', ...rules, file)
      expect(await decryptSops(text, { identities, target: file })).toEqual(documents)
    }
  })

  it('writes comments anywhere between the keys, and we open the same documents', async () => {
    const folder = await makeFolder()
    for (const [index, { documents, regex }] of samples.slice(0, 60).entries()) {
      const file = join(folder, `${index}.yaml`)
      await writeFile(file, commented(yamlText(documents)))
      const rules = ['--age', identity.recipient, '--encrypted-regex', regex]
      const text = await runSops('encrypt', ...rules, file)
      expect(await decryptSops(text, { identities, target: file })).toEqual(documents)
    }
  })

  it('adds the recipients of its own configuration to a file of ours, which all of them open then', async () => {
    const folder = await makeFolder()
    const file = join(folder, 'secrets.sops.yaml')
    const other = await makeIdentity()
    await writeFile(file, await seal(yamlDocuments(secretsBundle), everything))
    const rules = `creation_rules:\n  - age: ${identity.recipient},${other.recipient}\n`
    await writeFile(join(folder, '.sops.yaml'), rules)
    await runSops('--config', join(folder, '.sops.yaml'), 'updatekeys', '--yes', file)
    const text = await readFile(file, 'utf8')
    for (const reader of [identity, other]) {
      const opened = await decryptSops(text, { identities: [reader], target: file })
      expect(opened).toEqual(yamlDocuments(secretsBundle))
    }
  })

  it('opens a file with comments, dates and its own default rule for us', async () => {
    const file = join(await makeFolder(), 'commented.yaml')
    const plain =
      '# who\nname: demo # what\nlist:\n    # one\n    - a\n    - 1\nsince: 2026-11-27T00:00:00Z\n'
    await writeFile(file, plain)
    const text = await runSops('encrypt', '--age', identity.recipient, file)
    const opened = await decryptSops(text, { identities, target: file })
    expect(opened).toEqual([{ name: 'demo', list: ['a', 1], since: '2026-11-27T00:00:00Z' }])
  })

  it('gives back a machine config that can be applied, and a secrets bundle', async () => {
    const folder = await makeFolder()
    for (const [name, text, regex] of [
      ['node', machineConfig, machineConfigSecrets],
      ['secrets', secretsBundle, everything],
    ] as const) {
      const file = join(folder, `${name}.sops.yaml`)
      await writeFile(file, await seal(yamlDocuments(text), regex))
      expect(yamlDocuments(await runSops('decrypt', file))).toEqual(yamlDocuments(text))
    }
  })

  it('changes the recipients and the keys of a file of ours, which we still open', async () => {
    const folder = await makeFolder()
    const file = join(folder, 'secrets.sops.yaml')
    const other = await makeIdentity()
    await writeFile(file, await seal(yamlDocuments(secretsBundle), everything))
    await runSops('rotate', '--in-place', '--add-age', other.recipient, file)
    const text = await readFile(file, 'utf8')
    const opened = await decryptSops(text, { identities: [other], target: file })
    expect(opened).toEqual(yamlDocuments(secretsBundle))
  })

  it('refuses what we refuse', async () => {
    const file = join(await makeFolder(), 'damaged.yaml')
    const text = await seal([{ id: 'abc', token: 'one' }], '^token$')
    await writeFile(file, text.replace('id: abc', 'id: abd'))
    await expect(runSops('decrypt', file)).rejects.toThrow('MAC mismatch')
  })
})
