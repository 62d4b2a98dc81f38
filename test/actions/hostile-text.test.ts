import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseCommandFile } from '../../scripts/runner-files.ts'
import { actCommands, githubCommands } from '../github/read-commands.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hcloud-talos-hostile-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function runStep(args: readonly string[], variables: Record<string, string> = {}) {
  await mkdir(folder, { recursive: true })
  const files = Object.fromEntries(
    ['GITHUB_OUTPUT', 'GITHUB_STATE', 'GITHUB_STEP_SUMMARY'].map((name) => [
      name,
      join(folder, name),
    ]),
  )
  for (const path of Object.values(files)) await writeFile(path, '')
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    env: { PATH: process.env['PATH'], ...files, ...variables },
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  })
  return { stdout, stderr, status, files }
}

const probe = join(import.meta.dirname, 'hostile-process.ts')
const main = join(import.meta.dirname, '..', '..', 'src', 'actions', 'main.ts')

describe('a step that meets texts which try to be commands', () => {
  test('says nothing to a runner but what it means to, by whichever way they come out', async () => {
    const { stdout, stderr, status, files } = await runStep([probe])
    expect(status).toBe(1)
    const one = ['warning', 'error', 'error', 'error']
    const names = githubCommands(stdout).map(({ name }) => name)
    expect(names.length).toBeGreaterThan(800)
    expect(names).toEqual(Array.from({ length: names.length / 4 }, () => one).flat())
    expect(actCommands(stdout).map(({ name }) => name.split(':')[0])).toEqual(names)
    expect(githubCommands(stderr)).toEqual([])
    expect(actCommands(stderr)).toEqual([])
    for (const name of ['GITHUB_OUTPUT', 'GITHUB_STATE']) {
      const written = parseCommandFile(await readFile(files[name] ?? '', 'utf8'))
      expect(Object.keys(written)).toEqual(['said'])
    }
    const summary = await readFile(files['GITHUB_STEP_SUMMARY'] ?? '', 'utf8')
    expect(summary).not.toMatch(/(?![\n\t\u200b])[\p{Cc}\p{Cf}]/u)
  })

  test('says no more when Node itself ends it', async () => {
    const thrown = "new Error('x\\n::stop-commands::token\\n##[add-mask]x')"
    const event = join(folder, 'event.json')
    await writeFile(event, '{}')
    const script = [
      `const { main } = await import(${JSON.stringify(main)})`,
      `setImmediate(() => setImmediate(() => { throw ${thrown} }))`,
      `await main('reconcile', 'main')`,
    ].join('\n')
    const { stdout, stderr, status } = await runStep(['--input-type=module', '-e', script], {
      GITHUB_EVENT_PATH: event,
      GITHUB_REPOSITORY: 'o/r',
      RUNNER_TEMP: folder,
    })
    expect(status).toBe(1)
    expect(githubCommands(stdout + stderr).map(({ name }) => name)).toContain('error')
    expect(githubCommands(stdout + stderr).filter(({ name }) => name !== 'error')).toEqual([])
    expect(stdout).toContain('a bug in hcloud-talos: x')
    expect(stderr).toBe('')
  })

  test('removes nothing after the job because a saved state says so', async () => {
    const victim = join(folder, 'work-of-others')
    await mkdir(victim)
    const event = join(folder, 'event.json')
    await writeFile(event, '{}')
    const script = `(await import(${JSON.stringify(main)})).main('reconcile', 'post')`
    const { status, stdout } = await runStep(['--input-type=module', '-e', script], {
      GITHUB_EVENT_PATH: event,
      GITHUB_REPOSITORY: 'o/r',
      RUNNER_TEMP: folder,
      'STATE_access-folder': victim,
    })
    expect(await readdir(folder)).toContain('work-of-others')
    expect(githubCommands(stdout).map(({ name }) => name)).toEqual(['warning'])
    expect(status).toBe(0)
  })

  test('asks for its masks before it prints anything else', async () => {
    const event = join(folder, 'event.json')
    await writeFile(event, '{}')
    const key = `AGE-SECRET-KEY-1${'Q'.repeat(58)}`
    const script = `(await import(${JSON.stringify(main)})).main('reconcile', 'main')`
    const { stdout } = await runStep(['--input-type=module', '-e', script], {
      GITHUB_EVENT_PATH: event,
      GITHUB_REPOSITORY: 'o/r',
      RUNNER_TEMP: folder,
      'INPUT_GITHUB-TOKEN': 'canary-github-token',
      'INPUT_HCLOUD-TOKEN': 'canary-hetzner-token',
      'INPUT_AGE-IDENTITY': `# created by somebody\n${key}\n`,
      AWS_ACCESS_KEY_ID: 'canary-access-key',
      AWS_SECRET_ACCESS_KEY: 'canary-storage-key',
    })
    const lines = stdout.split('\n')
    const others = lines.findIndex((line) => !line.startsWith('::add-mask::'))
    const masks = lines.slice(0, others).join('\n')
    const secrets = ['canary-github-token', 'canary-hetzner-token', key]
    for (const secret of secrets) expect(masks).toContain(secret)
    expect(lines.slice(others).join('\n')).toContain('usage: the input config is required')
    for (const secret of secrets) expect(lines.slice(others).join('\n')).not.toContain(secret)
  })
})
