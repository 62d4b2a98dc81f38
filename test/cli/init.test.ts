import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import {
  defaultHostsWorkflow,
  defaultWorkflow,
} from '../../src/cli/commands/cluster/default-workflow.ts'
import { withIgnored } from '../../src/cli/git-ignore.ts'
import { formatPath } from '../../src/lib/finding.ts'
import { canBeOnGithub, publishedAction, usesOf } from '../../src/lib/published-action.ts'
import { loadHostsSpec } from '../../src/spec/hosts/load-hosts-spec.ts'
import { loadSpec } from '../../src/spec/load-spec.ts'
import { deriveSigningKey } from '../../src/store/trust/signing-key.ts'
import { runCommand } from './command-bench.ts'

let base: string
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'hcloud-talos-init-'))
})
afterAll(() => rm(base, { recursive: true, force: true }))

/** Runs `init` in a folder of its own, which holds these files before. */
async function init(name: string, args: readonly string[], files: Record<string, string> = {}) {
  const cwd = join(base, name)
  await mkdir(cwd, { recursive: true })
  for (const [path, text] of Object.entries(files)) await writeFile(join(cwd, path), text)
  const ended = await runCommand(['init', ...args], { cwd, env: { PATH: process.env['PATH'] } })
  return { ...ended, cwd, read: (path: string) => readFile(join(cwd, path), 'utf8') }
}

describe('init', () => {
  it('writes a file that loads, a workflow, and an identity that only its owner and no commit gets', async () => {
    const { code, stderr, cwd, read } = await init('fresh', ['--name', 'shop'])
    expect(code, stderr).toBe(0)
    const identity = (await read('age-identity.txt')).trim().split('\n').at(-1) ?? ''
    const { spec, findings } = loadSpec(await read('cluster.yaml'))
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(spec).toMatchObject({
      clusterName: 'shop',
      state: {
        recipients: [await identityToRecipient(identity)],
        signers: [deriveSigningKey({ secret: identity }).signer],
      },
    })
    const env = { PATH: process.env['PATH'], HCLOUD_TALOS_AGE_IDENTITY_FILE: 'age-identity.txt' }
    const printed = await runCommand(['signer'], { cwd, env })
    expect(printed.stdout.trim()).toBe(spec?.state.signers[0])
    expect((await runCommand(['signer'], { cwd, env: { PATH: process.env['PATH'] } })).code).toBe(
      30,
    )
    const modeOf = async (path: string) => (await stat(join(cwd, path))).mode & 0o777
    expect(await modeOf('age-identity.txt')).toBe(0o600)
    expect(await modeOf('cluster.yaml')).toBe(0o644)
    expect((await read('.gitignore')).split('\n')).toEqual(
      expect.arrayContaining(['/age-identity.txt', '/kubeconfig', '/talosconfig']),
    )
    expect(stderr).toContain('hcloud-talos plan --config cluster.yaml')
    expect(stderr).not.toContain(identity)
  })

  it('writes a file of hosts that lacks their host keys alone, and loads with them', async () => {
    const { code, stderr, read } = await init('hosts', ['--hosts', '--name', 'rack'])
    expect(code, stderr).toBe(0)
    const text = await read('cluster.yaml')
    const { findings } = loadHostsSpec(text)
    const errors = findings.filter(({ severity }) => severity === 'error')
    expect(errors.map(({ path }) => formatPath(path))).toEqual(
      [0, 1, 2, 3].map((index) => `hosts[${index}].hostKey`),
    )
    for (const { hint } of errors)
      expect(hint).toContain('Write what `ssh-keyscan -t ed25519` prints')
    expect(stderr).toContain('ssh-keyscan -t ed25519')
    const filled = text.replaceAll('TO_BE_FILLED_IN', `ssh-ed25519 SHA256:${'A'.repeat(43)}`)
    const { spec, findings: left } = loadHostsSpec(filled)
    expect(left.filter(({ severity }) => severity === 'error')).toEqual([])
    const identity = (await read('age-identity.txt')).trim().split('\n').at(-1) ?? ''
    expect(spec).toMatchObject({
      clusterName: 'rack',
      state: { recipients: [await identityToRecipient(identity)] },
    })
    const workflow = parse(await read('.github/workflows/cluster.yaml'))
    for (const job of ['plan', 'apply']) {
      const [, step] = workflow.jobs[job].steps
      const variable = filled.match(/^ +environment: (\w+)$/m)?.[1]
      expect(step.env).toEqual({ [`${variable}`]: `\${{ secrets.${variable} }}` })
      expect(step.with).not.toHaveProperty('hcloud-token')
    }
  })

  it('writes a workflow that GitHub refuses while the suite has no home, and says so last', async () => {
    const { code, stderr, read } = await init('homeless', [])
    expect(code, stderr).toBe(0)
    const workflow = await read('.github/workflows/cluster.yaml')
    expect(workflow).toContain(`uses: ${usesOf(publishedAction)}`)
    expect(workflow).not.toMatch(/uses: org\//)
    const isReal = canBeOnGithub(publishedAction.name)
    expect(stderr.includes('WARNING')).toBe(!isReal)
    expect(/^!{78}$/.test(stderr.trim().split('\n').at(-1) ?? '')).toBe(!isReal)
    expect(workflow.includes('PLACEHOLDER')).toBe(!isReal)
  })

  it('takes the action from where it is told to, and from nowhere that cannot be', async () => {
    const action = 'acme/hcloud-talos@0123456789abcdef0123456789abcdef01234567'
    const { code, stderr, read } = await init('home', ['--action', action])
    expect(code, stderr).toBe(0)
    const workflow = await read('.github/workflows/cluster.yaml')
    expect(workflow.match(/uses: acme\S+/g)).toEqual([`uses: ${action}`, `uses: ${action}`])
    expect(stderr).not.toContain('WARNING')
    const refused = await init('no-home', ['--action', '__OWNER__/hcloud-talos@v1'])
    expect([refused.code, await readdir(refused.cwd)]).toEqual([3, []])
  })

  it('replaces nothing, and says what is in the way', async () => {
    const files = { 'cluster.yaml': 'mine' }
    const { code, stderr, cwd, read } = await init('taken', [], files)
    expect(code).toBe(82)
    expect(stderr).toMatch(/^error file-unwritable: the file exists already/m)
    expect(await read('cluster.yaml')).toBe('mine')
    expect(await readdir(cwd)).toEqual(['cluster.yaml'])
  })

  it('replaces files when told, but never an identity, which may be the only key of a cluster', async () => {
    const { read: readFirst } = await init('again', ['--no-workflow'])
    const identity = await readFirst('age-identity.txt')
    const { code, cwd, read } = await init('again', ['--force', '--no-workflow', '--name', 'other'])
    expect(code).toBe(0)
    expect(await read('age-identity.txt')).toBe(identity)
    const recipient = await identityToRecipient(identity.trim().split('\n').at(-1) ?? '')
    expect(loadSpec(await read('cluster.yaml')).spec).toMatchObject({
      clusterName: 'other',
      state: { recipients: [recipient] },
    })
    expect((await readdir(cwd)).sort()).toEqual(['.gitignore', 'age-identity.txt', 'cluster.yaml'])
  })

  it.each([
    { name: 'bad-name', args: ['--name', 'Shop_1'], files: {}, code: 3, mentions: 'is no name' },
    { name: 'number', args: ['--name', '123'], files: {}, code: 3, mentions: 'is no name' },
    {
      name: 'bad-name-of-hosts',
      args: ['--hosts', '--name', 'Shop_1'],
      files: {},
      code: 3,
      mentions: 'is no name',
    },
    {
      name: 'no-identity',
      args: [],
      files: { 'age-identity.txt': 'hello\n' },
      code: 31,
      mentions: 'holds no age identity',
    },
    {
      name: 'no-folder',
      args: ['-c', 'file/cluster.yaml'],
      files: { file: '' },
      code: 82,
      mentions: 'a part of its path is a file',
    },
  ])(
    'leaves nothing behind when it fails: $name',
    async ({ name, args, files, code, mentions }) => {
      const ended = await init(name, args, files)
      expect({ code: ended.code, isNamed: ended.stderr.includes(mentions) }, ended.stderr).toEqual({
        code,
        isNamed: true,
      })
      expect((await readdir(ended.cwd)).sort()).toEqual(Object.keys(files).sort())
    },
  )
})

describe('The workflow that init writes', () => {
  const writers = { defaultWorkflow, defaultHostsWorkflow }
  it.each(
    Object.values(writers).flatMap((write) =>
      ['shop', '123', 'true'].map((name) => [name, write] as const),
    ),
  )('of %s is for the action and its inputs', async (name, write) => {
    const action = parse(await readFile(resolve(import.meta.dirname, '../../action.yml'), 'utf8'))
    const workflow = parse(write(name, 'eu/a: b.yaml', publishedAction))
    const { plan, apply } = workflow.jobs
    expect([workflow.name, apply.environment, plan.environment]).toEqual([
      name,
      name,
      `${name}-plan`,
    ])
    for (const { steps } of [plan, apply]) {
      const inputs = steps[1].with
      expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(inputs)))
      expect(inputs.config).toBe('eu/a: b.yaml')
    }
    expect(plan.steps[1].with).not.toHaveProperty('age-identity')
  })
})

describe('A .gitignore', () => {
  it.each([
    { text: '', expected: '/key\n' },
    { text: 'node_modules', expected: 'node_modules\n/key\n' },
    { text: 'key\n', expected: 'key\n' },
    { text: '/key\r\nother\r\n', expected: '/key\r\nother\r\n' },
  ])('of $text becomes $expected', ({ text, expected }) => {
    expect(withIgnored(text, ['key'])).toBe(expected)
  })
})
