import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { actionFolder, readActionFile } from '../../scripts/action-file.ts'
import { partFiles } from '../../scripts/bundle-parts.ts'
import { actionNames, loadAction } from '../../src/actions/action-table.ts'

const root = resolve(import.meta.dirname, '../..')
const dist = join(root, 'dist')

/** What nobody but the user can know. */
const needed = ['hcloud-token', 'confirm', 'snapshot', 'to']

describe.each(actionNames)('the action %s', (name) => {
  const folder = actionFolder(name)
  const file = readActionFile(root, folder)

  test('has the inputs and outputs of its action.yml', async () => {
    const action = await loadAction(name)
    const declared = Object.entries(action.inputs).map(([input, { read, isSecret, ...traits }]) => [
      input,
      traits,
    ])
    expect(Object.fromEntries(declared)).toEqual(file.inputs)
    const outputs = Object.entries(action.outputs).map(([output, description]) => [
      output,
      { description },
    ])
    expect(Object.fromEntries(outputs)).toEqual(file.outputs)
  })

  test('keeps what opens something out of its log, and no default of it in a file', async () => {
    const { inputs } = await loadAction(name)
    const secrets = Object.entries(inputs).filter(([, { isSecret }]) => isSecret)
    const looks = Object.keys(inputs).filter((input) => /token|identity|key|secret/.test(input))
    expect(secrets.map(([input]) => input).sort()).toEqual(looks.sort())
    for (const [, input] of secrets)
      expect((input.default ?? '').replace(/^\$\{\{ .*/, '')).toBe('')
  })

  test('is run from stubs that are there', async () => {
    const action = await loadAction(name)
    const { main, post } = file.runs
    expect(resolve(root, folder, main)).toBe(join(dist, `${name}.cjs`))
    expect(post !== undefined).toBe(action.post !== undefined)
    for (const [path, stage] of [
      [main, 'main'],
      [post, 'post'],
    ] as const) {
      if (path === undefined) continue
      const stub = readFileSync(resolve(root, folder, path), 'utf8')
      expect(stub).toBe(
        `// src/actions/${name}.ts\nrequire('./hcloud-talos.cjs').runAction('${name}', '${stage}')\n`,
      )
    }
  })

  test('asks for what it must have, and for nothing that it could know', () => {
    for (const [input, { required, default: fallback }] of Object.entries(file.inputs)) {
      // An apply asks for a name only where its plan does, and a cluster on hosts has no token.
      const isNeeded =
        needed.includes(input) &&
        (input !== 'confirm' || !('approve' in file.inputs)) &&
        (input !== 'hcloud-token' || name === 'build-image')
      expect([input, required]).toEqual([input, isNeeded])
      expect(required && fallback !== undefined).toBe(false)
    }
  })
})

describe('the suite', () => {
  test('has a folder for each action and no other, each with its two files', () => {
    const named = actionNames.filter((name) => name !== 'reconcile')
    expect(readdirSync(join(root, 'actions')).sort()).toEqual([...named].sort())
    for (const name of actionNames) {
      expect(readdirSync(join(root, actionFolder(name))).sort()).toEqual([
        'README.md',
        'action.yml',
      ])
    }
  })

  test('dist holds the bundles, the stubs that an action names, the command and the licences', () => {
    const stubs = actionNames.flatMap((name) => {
      const { post } = readActionFile(root, actionFolder(name)).runs
      return post === undefined ? [`${name}.cjs`] : [`${name}.cjs`, `${name}-post.cjs`]
    })
    const others = ['cli.cjs', ...partFiles, 'licenses.txt']
    expect(readdirSync(dist).sort()).toEqual([...stubs, ...others].sort())
  })

  test('the root action is reconcile, but for the way to dist', () => {
    const text = (path: string) => readFileSync(join(root, path), 'utf8')
    expect(text('reconcile/action.yml').replaceAll(' ../dist/', ' dist/')).toBe(text('action.yml'))
  })
})
