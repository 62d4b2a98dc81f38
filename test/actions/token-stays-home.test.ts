import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { smallCluster } from '../e2e/runner-bench.ts'

const main = join(import.meta.dirname, '..', '..', 'src', 'actions', 'main.ts')
const basic = `Basic ${Buffer.from('x-access-token:canary-token').toString('base64')}`

/** A git host that asks for credentials and keeps what it is shown; it answers once `ready` is. */
async function startHost(ready: Promise<unknown> = Promise.resolve()) {
  const shown: string[] = []
  const asked = Promise.withResolvers<void>()
  const server = createServer(({ headers, url }, response) => {
    shown.push(`${url?.split('?')[0]} ${headers.authorization ?? 'nothing'}`)
    if (headers.authorization !== undefined) asked.resolve()
    void ready.then(() =>
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { shown, asked: asked.promise, url: `http://127.0.0.1:${address.port}` }
}

async function plan(variables: Record<string, string>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'hcloud-talos-home-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'event.json'), '{}')
  await writeFile(join(folder, 'cluster.yaml'), smallCluster)
  const script = `(await import(${JSON.stringify(main)})).main('reconcile', 'main')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: folder,
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      RUNNER_TEMP: folder,
      GITHUB_EVENT_PATH: join(folder, 'event.json'),
      GITHUB_REPOSITORY: 'org/clusters',
      'INPUT_GITHUB-TOKEN': 'canary-token',
      'INPUT_HCLOUD-TOKEN': 'h'.repeat(64),
      INPUT_CONFIG: 'cluster.yaml',
      INPUT_MODE: 'plan',
      ...variables,
    },
  })
  await once(child, 'close')
}

test('the token of a job is shown to its own server, and to no other that a setting names', async () => {
  const home = await startHost()
  await plan({ GITHUB_SERVER_URL: home.url })
  expect(home.shown).toContain(`/org/clusters/info/refs ${basic}`)

  // The state stands elsewhere; what was merged is still asked at home, and there alone with the token.
  const again = await startHost()
  const other = await startHost(again.asked)
  await plan({ GITHUB_SERVER_URL: again.url, HCLOUD_TALOS_REMOTE: `${other.url}/org/states` })
  expect(again.shown).toContain(`/org/clusters/info/refs ${basic}`)
  expect(other.shown.length).toBeGreaterThan(0)
  expect(other.shown.filter((line) => !line.endsWith(' nothing'))).toEqual([])
})
