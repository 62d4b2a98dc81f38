import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { hostsGround } from '../../scripts/quickstart/hosts-ground.ts'
import { showLife } from '../../scripts/quickstart/show-life.ts'
import type { StepResult } from '../../scripts/runner-job.ts'
import { wholeRuns } from './runner-bench.ts'

const login = {
  user: 'somebody',
  sudoPassword: 'planted-password-of-sudo',
  passphrase: 'planted-passphrase-of-the-key',
}

let folder: string | undefined
afterEach(async () => {
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
})

describe.skipIf(userInfo().uid !== 0)('the quickstart on hosts', wholeRuns, () => {
  test('shows a whole life, prints none of the secrets that log in, and has each of them masked', async () => {
    const place = await mkdtemp(join(tmpdir(), 'hcloud-talos-quickstart-'))
    folder = place
    const lines: string[] = []
    const steps: StepResult[] = []
    let privateKey = ''
    const ground = hostsGround(login)
    await showLife(
      {
        ...ground,
        async open(where) {
          const open = await ground.open(where)
          privateKey = open.environment['SSH_PRIVATE_KEY'] ?? ''
          return open
        },
      },
      {
        folder: place,
        print: (line) => void lines.push(line),
        onStep: (step) => void steps.push(step),
      },
    )
    expect(await readFile(join(place, 'plan-comment.md'), 'utf8')).toMatch(/rack: \d+ to create/)
    expect(lines).toContain(
      '✓ no host has a certificate, a kubeconfig, a static pod, data of etcd or a mark',
    )
    expect(lines).toContain('✓ the product sent nothing that no API knows')

    const bodyOfKey = privateKey.split('\n').filter((line) => /^[^-]{32,}$/.test(line))
    const secrets = [login.sudoPassword, login.passphrase, ...bodyOfKey]
    expect(bodyOfKey.length).toBeGreaterThan(3)
    const [plan, apply] = steps.filter(({ masks }) => masks.length > 0)
    for (const step of [plan, apply]) {
      const masked = step?.masks.join('\n') ?? ''
      expect(secrets.filter((secret) => !masked.includes(secret))).toEqual([])
    }
    const texts = {
      log: lines.join('\n'),
      summary: await readFile(join(place, 'summary.md'), 'utf8'),
      comment: await readFile(join(place, 'plan-comment.md'), 'utf8'),
      outputs: JSON.stringify(steps.map(({ outputs }) => outputs)),
      commits: await commits(join(place, 'git', 'clusters.git')),
    }
    const leaks = Object.entries(texts).filter(([, text]) =>
      secrets.some((secret) => text.includes(secret)),
    )
    expect(leaks.map(([name]) => name)).toEqual([])
  })
})

describe('the script of the quickstart', () => {
  test('refuses an argument that it does not know, in one line', async () => {
    const script = resolve(import.meta.dirname, '../../scripts/quickstart.ts')
    await expect(promisify(execFile)(process.execPath, [script, '--host'])).rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'quickstart: it takes --hosts or nothing, not --host\n',
    })
  })
})

/** Every commit of every branch, with what it changed. */
async function commits(repository: string): Promise<string> {
  const args = ['-C', repository, 'log', '--all', '--patch', '--text']
  const { stdout } = await promisify(execFile)('git', args, { maxBuffer: 64 << 20 })
  return stdout
}
