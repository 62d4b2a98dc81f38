import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { canBeOnGithub, publishedAction } from '../../src/lib/published-action.ts'

const root = resolve(import.meta.dirname, '../..')
const places = [
  'README.md',
  'CONTRIBUTING.md',
  'docs',
  'examples',
  'actions',
  'reconcile',
  '.github',
]

/** Tracked texts in which people read how the suite is used. */
const files = execFileSync('git', ['-C', root, 'ls-files', '-z', ...places], { encoding: 'utf8' })
  .split('\0')
  .filter((file) => /\.(md|ya?ml)$/.test(file))

test('no document or example takes the suite from anywhere but where it is published', () => {
  const strangers = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return [...text.matchAll(/([\w<>.-]+\/hcloud-talos)(?:\/[\w/-]+)?@/g)]
      .map(([, name]) => `${file}: ${name}`)
      .filter((found) => !found.endsWith(`: ${publishedAction.name}`))
  })
  expect(strangers).toEqual([])
})

test('nothing tells people to run a package by a name that is not ours', () => {
  const named = files.filter((file) =>
    /\b(?:npx|npm (?:exec|install|i)(?: -\S+)*|pnpm dlx|yarn dlx|bunx) hcloud-talos\b/.test(
      readFileSync(join(root, file), 'utf8'),
    ),
  )
  expect(named).toEqual([])
})

/** The check of a release, as its workflow runs it. */
function checkRelease(environment: Readonly<Record<string, string>>) {
  const args = [join(root, 'scripts/check-release.ts')]
  const env = { PATH: process.env['PATH'] ?? '', ...environment }
  return spawnSync(process.execPath, args, { env, encoding: 'utf8' })
}

test('a release fails while the suite has no home, and for another tag or repository', () => {
  const { name, ref } = publishedAction
  const right = checkRelease({ GITHUB_REPOSITORY: name, GITHUB_REF_NAME: ref })
  expect(right.status).toBe(canBeOnGithub(name) ? 0 : 1)
  expect(right.stderr.includes('is a placeholder')).toBe(!canBeOnGithub(name))
  const wrong = checkRelease({ GITHUB_REPOSITORY: 'acme/fork', GITHUB_REF_NAME: 'v0.0.0' })
  expect(wrong.status).toBe(1)
  expect(wrong.stderr).toContain('this is acme/fork')
  expect(wrong.stderr).toContain('the tag is v0.0.0')
})
