import { describe, expect, test } from 'vitest'
import { describeFile, findMismatch } from '../../src/store/files/manifest.ts'

const text = (content: string) => Buffer.from(content)
const state = [
  ['inventory.json', text('{}\n')],
  ['nodes/demo-workers-1.sops.yaml', text('one')],
  ['nodes/demo-workers-2.sops.yaml', text('two')],
] as const
const listed = { files: state.map(([path, content]) => describeFile(path, content)) }

/** The state with some files exchanged, added, or (undefined) taken away. */
function files(
  changes: Readonly<Record<string, string | undefined>> = {},
): Map<string, Uint8Array> {
  const all = new Map<string, Uint8Array>(state)
  for (const [path, content] of Object.entries(changes)) {
    if (content === undefined) all.delete(path)
    else all.set(path, text(content))
  }
  return all
}

describe('a state that is not as its manifest lists it', () => {
  test.each([
    [
      'has a file that nobody signed, though its name is one of a state',
      { 'nodes/demo-workers-3.sops.yaml': 'three' },
      { path: 'nodes/demo-workers-3.sops.yaml', kind: 'stranger' },
    ],
    ['lacks one', { 'inventory.json': undefined }, { path: 'inventory.json', kind: 'missing' }],
    ['has other contents', { 'inventory.json': '[]' }, { path: 'inventory.json', kind: 'changed' }],
    [
      'has other contents of the same size',
      { 'inventory.json': '[]\n' },
      { path: 'inventory.json', kind: 'changed' },
    ],
    [
      'has the contents of another file',
      { 'nodes/demo-workers-1.sops.yaml': 'two' },
      {
        path: 'nodes/demo-workers-1.sops.yaml',
        kind: 'moved',
        origin: 'nodes/demo-workers-2.sops.yaml',
      },
    ],
  ])('%s', (_what, changes, mismatch) => {
    expect(findMismatch(listed, files(changes))).toEqual(mismatch)
  })
})

test('a state that is as it was listed has none', () => {
  expect(findMismatch(listed, files())).toBeUndefined()
})
