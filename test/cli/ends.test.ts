import { once } from 'node:events'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProgram } from '../../src/cli/whole-program.ts'
import { generateKey, issueCertificate, writePrivateKey } from '../../src/sandbox/pki.ts'
import { bare, clusterFile } from '../commands/cluster-files.ts'
import { type CommandBench, startCommandBench } from './command-bench.ts'
import { everyCommand } from './every-command.ts'
import { type MeasuredBench, measuredBench } from './measured-bench.ts'

let bench: CommandBench
let run: MeasuredBench['run']
let forcedEnds: MeasuredBench['forcedEnds']
const anywhere = ['127.0.0.0/8']

beforeAll(async () => {
  bench = await startCommandBench()
  ;({ run, forcedEnds } = measuredBench(bench))
  const file = clusterFile(
    { workers: 0 },
    { ...bare, firewall: { talosApi: anywhere, kubernetesApi: anywhere } },
  )
  await bench.write('cluster.yaml', file.text)
  await bench.write('patch.yaml', 'machine:\n  sysctls:\n    vm.swappiness: "10"\n')
  expect((await run(['apply', '--yes'])).code).toBe(0)
})
afterAll(() => bench[Symbol.asyncDispose]())

// Commands run in the bench's folder.
const to = () => join('backups', 'demo.age')

interface CommandEnd {
  /** What is typed behind its name, and the code that it ends with: any but that of a bug where it is `told`. */
  readonly ends: readonly [line: string | (() => string), code: number | 'told']
  readonly fails: string
}

/** How each command is run to its end, and to a failure; in an order in which each has what it needs. */
const commands: Readonly<Record<string, CommandEnd>> = {
  init: {
    ends: ['--name other -c other.yaml --no-workflow', 0],
    fails: '--name Not_A_Name',
  },
  plan: { ends: ['', 0], fails: '-c nothing.yaml' },
  apply: { ends: ['--yes', 0], fails: '-c nothing.yaml --yes' },
  // Clusters of this file are never adopted.
  adopt: { ends: ['--yes', 3], fails: '-c nothing.yaml --yes' },
  'build-image': { ends: ['--yes', 0], fails: '-c nothing.yaml' },
  upgrade: { ends: ['--yes', 0], fails: '-c nothing.yaml --yes' },
  status: { ends: ['', 0], fails: 'nobody' },
  kubeconfig: { ends: ['', 0], fails: '--out cluster.yaml/below' },
  talosconfig: { ends: ['', 0], fails: '--out cluster.yaml/below' },
  config: { ends: ['demo-control-plane-1 --diff', 0], fails: 'nobody' },
  ...verbs({
    version: ['', 0],
    services: ['', 0],
    logs: ['kubelet', 0],
    dmesg: ['', 0],
    events: ['--duration 1', 0],
    get: ['members', 0],
    health: ['--wait-timeout 1', 'told'],
    'etcd members': ['', 0],
    'etcd status': ['', 0],
    'etcd snapshot': ['plain.db', 0],
    'etcd defrag': ['--yes', 0],
    'etcd alarm list': ['', 0],
    'etcd alarm disarm': ['--yes', 0],
    read: ['/etc/hostname', 0],
    copy: ['/etc/hostname --out hostname.tar.gz', 0],
    list: ['', 0],
    usage: ['', 0],
    netstat: ['', 0],
    containers: ['', 'told'],
    stats: ['', 'told'],
    cgroups: ['', 'told'],
    processes: ['', 'told'],
    memory: ['', 'told'],
    mounts: ['', 'told'],
    'image list': ['', 'told'],
    'image pull': ['registry.k8s.io/pause:3.10', 'told'],
    'service restart': ['kubelet -n demo-control-plane-1 --yes', 'told'],
    pcap: ['--duration 1', 0],
    support: ['', 0],
  }),
  snapshot: { ends: [to, 0], fails: 'gs://nowhere/at/all' },
  'snapshot list': { ends: ['backups', 0], fails: 'nowhere/at/all' },
  restore: {
    ends: [() => `--snapshot ${to()} --confirm demo --discard-etcd`, 0],
    fails: `--snapshot nothing.age --confirm demo`,
  },
  recover: { ends: ['--talosconfig talosconfig', 'told'], fails: '--talosconfig nothing' },
  verify: { ends: ['', 0], fails: '-c nothing.yaml' },
  'secret set': { ends: ['extra --from-file cluster.yaml', 0], fails: 'extra --from-file nothing' },
  'secret list': { ends: ['', 0], fails: '-c nothing.yaml' },
  'secret rm': { ends: ['extra --yes', 0], fails: 'nobody --yes' },
  'addons render': { ends: ['', 0], fails: 'nobody' },
  'addons diff': { ends: ['', 0], fails: 'nobody' },
  signer: { ends: ['', 0], fails: '--unheard-of' },
  doctor: { ends: ['', 'told'], fails: '-c nothing.yaml' },
  unlock: { ends: ['', 'told'], fails: '-c nothing.yaml' },
  rotate: { ends: ['--prepare', 0], fails: '' },
  revoke: { ends: ['', 'told'], fails: '-c nothing.yaml' },
  export: { ends: ['--out bundle.age', 'told'], fails: '--out cluster.yaml/below' },
  import: { ends: ['--from bundle.age', 'told'], fails: '--from nothing.age' },
  repair: { ends: ['', 'told'], fails: '-c nothing.yaml' },
  compact: { ends: ['', 'told'], fails: '-c nothing.yaml' },
  ...verbs({
    // Without a network of ours a node is never ready again: nobody waits for that here.
    reboot: ['-n demo-control-plane-1 --no-wait --no-gate --yes', 0],
    patch: ['patch.yaml -n demo-control-plane-1 --yes', 'told'],
    // Nothing was upgraded, and then nothing is left to turn off.
    rollback: ['-n demo-control-plane-1 --no-wait --no-gate --yes', 'told'],
    reset: ['-n demo-control-plane-1 --no-graceful --yes', 'told'],
    shutdown: ['-n demo-control-plane-1 --no-gate --yes', 'told'],
  }),
  sandbox: { ends: ['--unheard-of', 3], fails: '--latencies unheard-of' },
  completion: { ends: ['bash', 0], fails: 'unheard-of' },
  destroy: { ends: ['--confirm demo', 'told'], fails: '--confirm other' },
}

/** Verbs below `talos` fail in the same way. */
function verbs(lines: Readonly<Record<string, CommandEnd['ends']>>): Record<string, CommandEnd> {
  return Object.fromEntries(
    Object.entries(lines).map(([name, ends]) => [
      `talos ${name}`,
      { ends, fails: `${words(String(ends[0])).join(' ')} -n nobody --yes-or-no` },
    ]),
  )
}

const names = Object.keys(commands)

function words(line: string): string[] {
  return line.split(' ').filter(Boolean)
}

function typed(name: string): string[] {
  const [line = ''] = commands[name]?.ends ?? []
  return [...words(name), ...words(typeof line === 'string' ? line : line())]
}

it('are all the commands that there are', () => {
  const all = everyCommand(createProgram(async () => undefined))
  expect([...names].sort()).toEqual(all.sort())
})

it.each(names)('%s ends when it fails', async (name) => {
  const { fails = '' } = commands[name] ?? {}
  const { code, signal, stderr } = await run([...words(name), ...words(fails)])
  expect([signal, code === null || code === 0], stderr).toEqual([null, false])
})

it('a command that meets somebody else at the address of a node ends, by the Talos API and by that of Kubernetes', async () => {
  const { world } = bench.sandbox
  const machine = [...world.machines.values()].find(({ name }) => name === 'demo-control-plane-1')
  await machine?.powerOff()
  const key = generateKey('p256')
  const crt = issueCertificate({
    subject: { commonName: 'other' },
    key,
    usages: ['serverAuth'],
    ipAddresses: [machine?.publicIp ?? ''],
    lifetimeMs: 3_600_000,
  })
  const impostor = (protocol: string) =>
    createServer({ cert: crt, key: writePrivateKey(key), ALPNProtocols: [protocol] })
  const [talos, kubernetes] = [impostor('h2'), impostor('http/1.1')]
  let refusals = 0
  kubernetes.on('tlsClientError', () => refusals++)
  talos.on('tlsClientError', () => undefined)
  for (const [server, port] of [
    [talos, 50_000],
    [kubernetes, 6_443],
  ] as const) {
    server.listen(port, machine?.publicIp)
    await once(server, 'listening')
  }
  await using _gone = {
    async [Symbol.asyncDispose]() {
      for (const server of [talos, kubernetes]) {
        const closed = once(server, 'close')
        server.close()
        await closed
      }
      await machine?.powerOn()
      await machine?.settled()
    },
  }
  // A support archive says in its files what could not be had; those that end after a second may end before the answer.
  const apart = ['talos support', 'talos pcap', 'talos events']
  const asking = names
    .filter((name) => name.startsWith('talos ') && !apart.includes(name))
    .map(typed)
  const others = [...apart, 'plan', 'status', 'doctor'].map(typed)
  const answers = await Promise.all(
    [...asking, ...others, ['snapshot', 'other.age']].map((args) => run(args)),
  )
  expect(answers.filter(({ signal }) => signal !== null)).toEqual([])
  for (const { stderr } of answers.slice(0, asking.length)) {
    expect(stderr).toContain('talos-identity')
  }
  // Plan and doctor ask Kubernetes as well, and do not believe who answers.
  expect(refusals).toBeGreaterThan(0)
})

// In the order of the table: each has what those before it left.
it.each(names)('%s ends when it has answered', async (name) => {
  const { code, signal, stdout, stderr } = await run(typed(name))
  expect(signal, stdout + stderr).toBeNull()
  // Some ask to be confirmed, or find something: what they say is tested elsewhere, that they end is here.
  const [, wanted] = commands[name]?.ends ?? []
  if (wanted === 'told') expect(code, stdout + stderr).not.toBe(1)
  else expect(code, stdout + stderr).toBe(wanted)
})

it('none of them had to be ended with something still open', async () => {
  expect(await forcedEnds()).toEqual([])
})
