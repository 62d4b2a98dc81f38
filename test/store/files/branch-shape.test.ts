import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BranchShape } from '../../../src/store/files/branch-shape.ts'
import type { TreeEntry } from '../../../src/store/git/object-reader.ts'

const entry = fc.record({
  path: fc.constantFrom(
    ...['demo/manifest.json', 'demo/inventory.json', 'demo/notes', 'prod/manifest.sig'],
    ...['prod/x', 'src/main.ts', 'README.md', 'demo/nodes/a.sops.yaml', 'Demo/manifest.json'],
  ),
  mode: fc.constantFrom('100644', '100644', '100644', '120000'),
  object: fc.constantFrom('aa', 'bb'),
})

/** What a shape says, as far as anybody asks. */
function describeShape(shape: BranchShape) {
  const refused = (() => {
    try {
      shape.assertOurs('state')
      return false
    } catch {
      return true
    }
  })()
  return {
    refused,
    clusters: shape.clusters,
    files: Object.fromEntries(shape.filesOf('demo')),
    copied: [...shape.filesOf('demo').keys()]
      .filter((path) => shape.copyElsewhere('demo', path))
      .sort(),
  }
}

describe('the shape of a branch', () => {
  test('is that of its files, however they came and went', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(entry, fc.boolean()), { maxLength: 20 }), (steps) => {
        const shape = new BranchShape()
        const tree = new Map<string, TreeEntry>()
        for (const [each, isRemoved] of steps) {
          if (isRemoved) {
            shape.remove(each.path)
            tree.delete(each.path)
          } else {
            shape.add(each)
            tree.set(each.path, each)
          }
        }
        expect(describeShape(shape)).toEqual(describeShape(new BranchShape(tree.values())))
      }),
    )
  })

  test.for([
    ['120000', 'a symbolic link'],
    ['100755', 'an executable'],
    ['160000', 'a commit of another repository'],
  ])('is not ours with anything but plain files: %s, %s', ([mode = '']) => {
    const plain = { path: 'demo/manifest.json', mode: '100644', object: 'aa' }
    const other = { path: 'demo/inventory.json', mode, object: 'bb' }
    expect(describeShape(new BranchShape([plain])).refused).toBe(false)
    expect(() => new BranchShape([plain, other]).assertOurs('state')).toThrow('is not a plain file')
  })

  test.each([
    'x\nerror state-ok: everything is healthy',
    'x\nerror state-ok: everything is healthy/main.ts',
    `x${'\n'.repeat(5_000)}/y`,
    `${'\u001b'.repeat(90)}/manifest.json`,
  ])('shows a name of nobody on one line of a bounded length: %j', (path) => {
    const shape = new BranchShape([{ path, mode: '100644', object: 'aa' }])
    const thrown = (() => {
      try {
        return shape.assertOurs('state')
      } catch (error) {
        return error
      }
    })()
    if (!(thrown instanceof Error)) throw new Error('it is taken for ours')
    expect(thrown.message).toMatch(/^the branch state is not a state branch: [ -~…]{1,700}$/)
  })

  test('is made in one pass over hundreds of thousands of strangers', () => {
    const strangers = Array.from({ length: 300_000 }, (_, at) => ({
      path: `prod/file-${at}`,
      mode: '100644',
      object: String(at),
    }))
    const manifest = { path: 'prod/manifest.json', mode: '100644', object: 'm' }
    const shape = new BranchShape([...strangers, manifest])
    shape.assertOurs('state')
    expect(shape.filesOf('prod').size).toBe(300_001)
    for (const { path } of strangers) shape.remove(path)
    expect(shape.filesOf('prod').size).toBe(1)
  })
})
