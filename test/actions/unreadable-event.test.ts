import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const main = join(import.meta.dirname, '..', '..', 'src', 'actions', 'main.ts')

test('an event that cannot be read fails the step with one line and no stack', () => {
  const script = `import(${JSON.stringify(main)}).then(({ main }) => main('reconcile', 'main'))`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], {
    env: { PATH: process.env['PATH'], GITHUB_EVENT_PATH: '/nowhere/event.json' },
    encoding: 'utf8',
  })
  expect(status).toBe(3)
  expect(stdout).toMatch(/^::error::usage: the event of this run cannot be read .*hint: [^\n]+\n$/)
  expect(stderr).toBe('')
})
