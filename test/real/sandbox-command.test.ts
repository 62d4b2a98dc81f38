import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { commandBlocks } from '../docs/command-blocks.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')

interface Announced {
  readonly enter: readonly [string, ...string[]]
  readonly environment: Readonly<Record<string, string>>
  readonly clusterFile: object
}

async function start() {
  const temporary = await mkdtemp(join(tmpdir(), 'sandbox-command-'))
  const child = spawn(process.execPath, [join(root, 'scripts', 'real-sandbox.ts')], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let readByTalosctl = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    readByTalosctl += text
  })
  const ended = new Promise<number | null>((done) => child.once('close', done))
  const announced = await new Promise<Announced>((done, fail) => {
    child.once('close', () => fail(new Error(readByTalosctl)))
    createInterface({ input: child.stdout }).once('line', (line) => done(JSON.parse(line)))
  })
  const [name = ''] = (await readdir(temporary)).filter((each) =>
    each.startsWith('hcloud-talos-real-'),
  )
  return { child, announced, ended, folder: join(temporary, name) }
}

/** What docs/testing.md prints before a command, for the process of this world. */
function printedEnter({ enter }: Announced): string[] {
  const block = commandBlocks().find(
    ({ fate }) => fate.kind === 'run-by' && fate.file === 'test/real/sandbox-command.test.ts',
  )
  const [, process = ''] = /\/proc\/(\d+)\//.exec(enter.join(' ')) ?? []
  const text = block?.text.replace('/proc/12345/', `/proc/${process}/`) ?? ''
  return text.split(' ').slice(0, text.split(' ').indexOf('hcloud-talos'))
}

/** Runs a program inside the world, as its user would. */
function inside({ enter: [nsenter, ...to] }: Announced, ...command: string[]) {
  return run(nsenter, [...to, ...command], { timeout: 60_000 })
}

/** Runs a program of this machine with the network of a server. */
function onServer({ enter: [nsenter, network] }: Announced, id: number, ...command: string[]) {
  const mounts = `${network}`.replace('--net=', '--mount=').replace(/net$/, 'mnt')
  const to = [`${network}`, mounts, 'ip', 'netns', 'exec', `server-${id}`]
  return run(nsenter, [...to, ...command], { timeout: 60_000 })
}

async function createServer(
  world: Announced,
  image: string,
): Promise<{ id: number; address: string }> {
  const { HCLOUD_ENDPOINT: endpoint, HCLOUD_TOKEN: token } = world.environment
  const body = { name: 'stock', server_type: 'cx23', location: 'hel1', image }
  const { stdout } = await inside(
    world,
    'curl',
    '--silent',
    '--fail',
    `${endpoint}/servers`,
    '--header',
    `Authorization: Bearer ${token}`,
    '--header',
    'Content-Type: application/json',
    '--data',
    JSON.stringify(body),
  )
  const { id, public_net: network } = JSON.parse(stdout).server
  return { id, address: network.ipv4.ip }
}

/** What is left on this machine of a world, whose folder had this name. */
async function remains(folder: string): Promise<string[]> {
  const name = basename(folder)
  const { stdout } = await run('find', ['/sys/fs/cgroup', '-type', 'd', '-name', `${name}*`])
  const mounts = await readFile('/proc/self/mounts', 'utf8')
  return [
    ...(existsSync(folder) ? [folder] : []),
    ...stdout.split('\n').filter(Boolean),
    ...mounts.split('\n').filter((line) => line.includes(name)),
  ]
}

it('a server of a stock image is a system with a real SSH daemon and the metadata of its server', async () => {
  const { child, announced, ended, folder } = await start()
  expect(printedEnter(announced)).toEqual(announced.enter)
  const { id, address } = await createServer(announced, 'debian-13')
  let banner = ''
  for (let attempt = 0; attempt < 60 && banner === ''; attempt++) {
    const asked = inside(
      announced,
      'timeout',
      '2',
      'bash',
      '-c',
      `exec 3<>/dev/tcp/${address}/22; head -1 <&3`,
    )
    banner = await asked.then(
      ({ stdout }) => stdout,
      () => '',
    )
    await sleep(250)
  }
  expect(banner).toMatch(/^SSH-2\.0-OpenSSH/)
  const metadata = 'http://169.254.169.254/hetzner/v1/metadata/instance-id'
  const { stdout } = await onServer(
    announced,
    id,
    'wget',
    '--quiet',
    '--output-document=-',
    metadata,
  )
  expect(stdout).toBe(`${id}`)
  expect(JSON.stringify(announced.clusterFile)).toContain('registryMirrors')
  child.kill('SIGINT')
  expect(await ended).toBe(0)
  expect(await remains(folder)).toEqual([])
})

it('leaves no process, mount, cgroup or folder behind when it is killed', async () => {
  const { child, announced, folder } = await start()
  await createServer(announced, 'debian-13')
  const namespace = announced.enter[1] ?? ''
  const process = dirname(dirname(namespace.replace('--net=', '')))
  await sleep(2_000)
  child.kill('SIGKILL')
  for (let attempt = 0; attempt < 120 && (await remains(folder)).length > 0; attempt++)
    await sleep(250)
  expect(await remains(folder)).toEqual([])
  expect(await runs(process)).toBe(false)
})

/** Whether a process still does anything: one that nobody has waited for is only a number. */
async function runs(folder: string): Promise<boolean> {
  const status = await readFile(join(folder, 'status'), 'utf8').catch(() => 'State: X')
  return !/^State:\s+[XZ]/m.test(status)
}
