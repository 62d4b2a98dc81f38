import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')

interface Announced {
  readonly enter: readonly [string, ...string[]]
  readonly environment: Readonly<Record<string, string>>
  readonly clusterFile: object
}

async function start() {
  const child = spawn(
    process.execPath,
    [join(root, 'scripts', 'hcloud-talos.ts'), 'sandbox', '--nodes', 'real'],
    { env: { ...process.env, HOME: homedir() }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const ended = new Promise<number | null>((done) => child.once('close', done))
  const announced = await new Promise<Announced>((done, fail) => {
    child.once('close', () => fail(new Error(said)))
    createInterface({ input: child.stdout }).once('line', (line) => done(JSON.parse(line)))
  })
  return { child, announced, ended }
}

/** Runs a program inside the world, as its user would. */
function inside({ enter: [nsenter, ...to] }: Announced, ...command: string[]) {
  return run(nsenter, [...to, ...command], { timeout: 60_000 })
}

async function createServer(world: Announced, image: string): Promise<string> {
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
  return JSON.parse(stdout).server.public_net.ipv4.ip
}

/** Everything of worlds that could be left on this machine. */
async function remains(): Promise<string[]> {
  const folders = (await readdir('/tmp')).filter((name) => name.startsWith('hcloud-talos-real-'))
  const own = process.env['HCLOUD_TALOS_REAL_FOLDER'] ?? ''
  const { stdout } = await run('find', [
    '/sys/fs/cgroup',
    '-type',
    'd',
    '-name',
    'hcloud-talos-real-*',
  ])
  const mounts = await readFile('/proc/self/mounts', 'utf8')
  return [
    ...folders.filter((name) => join('/tmp', name) !== own),
    ...stdout
      .split('\n')
      .filter((line) => line !== '' && !own.endsWith(line.split('/').at(-1) ?? '')),
    ...mounts
      .split('\n')
      .filter((line) => line.includes('hcloud-talos-real-') && !line.includes(own)),
  ]
}

it('a server of a stock image is a system with a real SSH daemon and the metadata of its server', async () => {
  const { child, announced, ended } = await start()
  const address = await createServer(announced, 'debian-13')
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
  expect(JSON.stringify(announced.clusterFile)).toContain('registryMirrors')
  child.kill('SIGINT')
  expect(await ended).toBe(130)
  expect(await remains()).toEqual([])
})

it('leaves no process, mount, cgroup or folder behind when it is killed', async () => {
  const { child, announced } = await start()
  await createServer(announced, 'debian-13')
  const namespace = announced.enter[1] ?? ''
  const process = dirname(dirname(namespace.replace('--net=', '')))
  await sleep(2_000)
  child.kill('SIGKILL')
  for (let attempt = 0; attempt < 120 && (await remains()).length > 0; attempt++) await sleep(250)
  expect(await remains()).toEqual([])
  expect(existsSync(process)).toBe(false)
})
