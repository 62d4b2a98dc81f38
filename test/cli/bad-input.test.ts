import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorCodes } from '../../src/lib/error-codes.ts'
import { clusterText } from './cluster-text.ts'
import { type CommandBench, startCommandBench } from './command-bench.ts'
import { expectClearFailure, type Mistake } from './mistake.ts'
import { mistakesInFiles } from './mistakes-in-files.ts'
import { mistakesOfAccess } from './mistakes-of-access.ts'
import { mistakesOfUsage } from './mistakes-of-usage.ts'
import { mistakesOnHosts } from './mistakes-on-hosts.ts'

let bench: CommandBench
let before: unknown
const html = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html')
  response.end('<html><body>Log in to the company network</body></html>')
})

beforeAll(async () => {
  bench = await startCommandBench()
  await mkdir(join(bench.folder, 'a-folder'))
  await bench.write('age.txt', 'not-an-identity-canary-0123456789')
  await pushForeignBranch(bench.sandbox.endpoints.git.folder)
  html.listen(0, '127.0.0.1')
  await once(html, 'listening')
  before = await bench.outside()
})

afterAll(async () => {
  html.close()
  await bench[Symbol.asyncDispose]()
})

const tables = {
  'the command line and the environment': mistakesOfUsage,
  'the cluster file': mistakesInFiles,
  'tokens, identities, the state and the disk': mistakesOfAccess,
  'what is asked of a cluster on hosts': mistakesOnHosts,
}

describe.each(Object.entries(tables))('A mistake in %s', (_part, mistakes) => {
  it.concurrent.each(mistakes.map((mistake) => [mistake.name, mistake] as const))(
    '%s',
    async (name, mistake) => {
      await makeMistake(name, mistake)
    },
  )
})

describe('After all of these', () => {
  it('the project, the repository and the temporary folder are as they were', async () => {
    expect(await bench.outside()).toEqual(before)
    expect(bench.sandbox.world.contractErrors).toEqual([])
  })
})

async function makeMistake(
  name: string,
  { args, env, file, code, mentions }: Mistake,
): Promise<void> {
  // A cluster of its own each, since they run at the same time.
  const cluster = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/-$/, '')
  const text = typeof file === 'function' ? file(cluster) : (file ?? clusterText({ name: cluster }))
  const [command = '', ...rest] = args
  const path = await bench.write(`${cluster}.yaml`, text)
  const config = rest.includes('--config') || !takesFile(command) ? [] : ['--config', path]
  const address = html.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  // A command with others below it has its options behind those.
  const words = command === 'talos' ? [...rest, ...config] : [...config, ...rest]
  const ended = await bench.run([command, ...words], {
    env: typeof env === 'function' ? env(bench, `http://127.0.0.1:${port}/v1`) : { ...env },
  })
  expectClearFailure(ended, { code: errorCodes[code], mentions: [code, ...mentions] }, bench)
}

function takesFile(command: string): boolean {
  return !['aply', 'completion', 'sandbox'].includes(command)
}

/** A branch on which somebody keeps something else. */
async function pushForeignBranch(repository: string): Promise<void> {
  const git = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)('git', ['-C', repository, ...args])
    return stdout.trim()
  }
  const page = await git('hash-object', '-w', join(import.meta.dirname, 'bad-input.test.ts'))
  await git('update-index', '--add', '--cacheinfo', `100644,${page},index.html`)
  const tree = await git('write-tree')
  const commit = await git(
    '-c',
    'user.name=Somebody',
    '-c',
    'user.email=somebody@example.com',
    'commit-tree',
    tree,
    '-m',
    'Pages',
  )
  await git('update-ref', 'refs/heads/pages', commit)
}
