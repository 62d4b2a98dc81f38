import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { actionFolder, readActionFile } from '../../../scripts/action-file.ts'
import { actionNames } from '../../../src/actions/action-table.ts'
import { initFiles } from '../../../src/cli/commands/cluster/init-files.ts'
import { fencedBlocks, markdownFiles } from '../../docs/markdown-files.ts'
import { actionlintProgram } from './action-peers.ts'

const root = resolve(import.meta.dirname, '../../..')
let program: string
let folder: string

beforeAll(async () => {
  program = await actionlintProgram()
  folder = await mkdtemp(join(tmpdir(), 'hcloud-talos-actionlint-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** What it has to say; nothing, where all is healthy. */
async function lint(cwd: string, ...files: string[]): Promise<string> {
  try {
    const run = promisify(execFile)
    return (await run(program, ['-no-color', '-oneline', '-shellcheck=', ...files], { cwd })).stdout
  } catch (error) {
    if (error instanceof Error && 'stdout' in error && error.stdout) return String(error.stdout)
    throw error
  }
}

async function workflowsIn(path: string): Promise<string[]> {
  return (await readdir(path)).map((file) => join(path, file))
}

describe('actionlint', () => {
  test('finds nothing in the example workflows', async () => {
    expect(await lint(root, ...(await workflowsIn(join(root, 'examples', 'workflows'))))).toBe('')
  })

  test('finds nothing in our own workflows', async () => {
    expect(await lint(root, ...(await workflowsIn(join(root, '.github', 'workflows'))))).toBe('')
  })

  test('finds nothing in the workflows of the documents', async () => {
    const blocks = markdownFiles()
      .flatMap(fencedBlocks)
      .filter(({ mark }) => mark === 'workflow')
    expect(blocks.length).toBeGreaterThan(5)
    const paths = await Promise.all(
      blocks.map(async ({ text }, index) => {
        const path = join(folder, `block-${index}.yaml`)
        await writeFile(path, text)
        return path
      }),
    )
    expect(await lint(folder, ...paths)).toBe('')
  })

  test('finds nothing in the workflow that init writes', async () => {
    const former = process.cwd()
    const home = join(folder, 'init')
    await mkdir(home)
    process.chdir(home)
    try {
      await initFiles({
        config: 'cluster.yaml',
        name: 'demo',
        force: false,
        workflow: true,
        hosts: false,
      })
    } finally {
      process.chdir(former)
    }
    expect(await lint(home, '.github/workflows/cluster.yaml')).toBe('')
  })

  test('takes every action.yml, with a step that gives each of its inputs', async () => {
    const home = join(folder, 'local')
    const workflows = '.github/workflows'
    await mkdir(join(home, '.git'), { recursive: true })
    await mkdir(join(home, workflows), { recursive: true })
    for (const entry of ['action.yml', 'actions', 'reconcile', 'dist']) {
      await symlink(join(root, entry), join(home, entry))
    }
    const steps = ['.', ...actionNames.map(actionFolder)].flatMap((path) => {
      const inputs = Object.keys(readActionFile(root, path).inputs)
      return [
        `      - uses: ./${path === '.' ? '' : path}`,
        '        with:',
        ...inputs.map((input) => `          ${input}: x`),
      ]
    })
    const workflow = `on: push
jobs:
  all:
    runs-on: ubuntu-24.04
    steps:
${steps.join('\n')}
`
    await writeFile(join(home, workflows, 'local.yaml'), workflow)
    expect(await lint(home, `${workflows}/local.yaml`)).toBe('')
    // It does look: an input that no action has is found.
    await writeFile(join(home, workflows, 'wrong.yaml'), workflow.replace('config: x', 'konfig: x'))
    expect(await lint(home, `${workflows}/wrong.yaml`)).toContain('konfig')
  })
})
