import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateX25519Identity } from 'age-encryption'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { errorCodes } from '../../src/lib/error-codes.ts'
import { hangLimitMs } from '../hang-limit.ts'
import { clusterText } from './cluster-text.ts'
import { type CommandBench, type Ended, startCommandBench } from './command-bench.ts'
import { expectClearFailure } from './mistake.ts'

const versions = { first: 'v1.13.0', next: 'v1.13.9' }

let bench: CommandBench
beforeAll(async () => {
  bench = await startCommandBench()
  await bench.write('cluster.yaml', clusterText({ talos: versions.first, network: 'cilium' }))
  await bench.write('newer.yaml', clusterText({ talos: versions.next, network: 'cilium' }))
  const controlPlane = '{ count: 3, type: cx23 }'
  await bench.write(
    'larger.yaml',
    clusterText({ controlPlane, talos: versions.first, network: 'cilium' }),
  )
})
afterAll(() => bench[Symbol.asyncDispose]())

const readOnly = () => ({ HCLOUD_TOKEN: bench.sandbox.endpoints.hcloud.readOnlyToken })
const noIdentity = { HCLOUD_TALOS_AGE_IDENTITY: undefined }

/** Standard output as the one document of JSON that it must be. */
function json({ code, stdout, stderr }: Ended) {
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}

async function expectSame(act: () => Promise<unknown>): Promise<void> {
  const before = await bench.outside()
  await act()
  expect(await bench.outside()).toEqual(before)
}

it('a plan is a text, JSON, Markdown or a file, and changes nothing', async () => {
  await expectSame(async () => {
    const env = { ...readOnly(), ...noIdentity }
    const [text, data, markdown, pending] = await Promise.all([
      bench.run(['plan', '--out', 'plan.json'], { env }),
      bench.run(['plan', '--json'], { env }),
      bench.run(['plan', '--markdown'], { env }),
      bench.run(['plan', '--detailed-exitcode'], { env }),
    ])
    expect(text.code).toBe(0)
    expect(text.stdout).toContain('+ network demo')
    expect(text.stderr).toContain('▸ Look at what is there\n')
    expect(`${text.stdout}${text.stderr}`).not.toContain('\u001b')
    expect(json(data)).toMatchObject({ version: 1, clusterName: 'demo', verb: 'apply' })
    expect(markdown.stdout).toMatch(/^\S*#/m)
    expect(pending.code).toBe(2)
  })
  expect((await stat(join(bench.folder, 'plan.json'))).mode & 0o777).toBe(0o600)
})

it('a dry run is a plan: it takes no lock and needs no right to write', async () => {
  await expectSame(async () => {
    const env = { ...readOnly(), ...noIdentity }
    const dry = await bench.run(['apply', '--dry-run', '--json'], { env })
    expect(json(dry)).toMatchObject({ verb: 'apply', applied: false })
  })
  expect(bench.sandbox.world.requests.filter(({ method }) => method !== 'GET')).toEqual([])
})

it(
  'an apply carries out the approved plan, and a second one has nothing to do',
  async () => {
    const applied = await bench.run(['apply', '--yes', '--plan', 'plan.json', '--json'])
    expect(json(applied)).toMatchObject({ applied: true, risk: 'additive' })
    expect(applied.stderr).toContain('✓ Bootstrap etcd')
    const again = await bench.run(['apply', '--yes'])
    expect(again).toMatchObject({ code: 0 })
    expect(again.stdout).toContain('nothing to do')
    expect((await bench.run(['plan', '--detailed-exitcode'])).code).toBe(0)
  },
  hangLimitMs,
)

it('the status shows the cluster and its nodes to whoever has no key and may only read', async () => {
  await expectSame(async () => {
    const env = { ...readOnly(), ...noIdentity }
    const [before, text, whole, one, other] = await Promise.all([
      bench.run(['status', '-c', 'larger.yaml', '--json'], { env }),
      bench.run(['status'], { env }),
      bench.run(['status', '--json'], { env }),
      bench.run(['status', 'demo-workers-1', '--json'], { env }),
      bench.run(['status', 'demo-worker-1'], { env }),
    ])
    expect(text.stdout).toMatch(/^API +https:\/\/.*:6443$/m)
    expect(text.stdout).toMatch(/^to apply +nothing$/m)
    expect(json(whole)).toMatchObject({
      cluster: 'demo',
      begun: true,
      kubernetes: { runs: json(whole).kubernetes.wanted },
      pending: { apply: [], upgrade: [] },
      nodes: [
        { name: 'demo-control-plane-1', role: 'control-plane', machine: { state: 'running' } },
        { name: 'demo-workers-1', role: 'worker', system: `Talos ${versions.first}` },
      ],
    })
    expect(json(one)).toEqual(json(whole).nodes[1])
    expect(json(before).pending.apply).toContain('create server/demo-control-plane-2')
    expect(json(before).nodes[1]).toMatchObject({
      name: 'demo-control-plane-2',
      machine: { state: 'missing' },
      ready: null,
    })
    expectClearFailure(
      other,
      { code: 2, mentions: ['demo-worker-1', 'Write demo-workers-1'] },
      bench,
    )
  })
})

it('what was not approved is not done', async () => {
  await expectSame(async () => {
    const moved = await bench.run([
      'apply',
      '--yes',
      '--config',
      'larger.yaml',
      '--plan',
      'plan.json',
    ])
    expectClearFailure(moved, { code: 46, mentions: ['plan-moved', 'demo-control-plane-2'] }, bench)
  })
})

it('credentials go into a file of their own, in place of what was there', async () => {
  await writeFile(join(bench.folder, 'talosconfig'), 'old', { mode: 0o644 })
  const [kubeconfig, talosconfig] = await Promise.all([
    bench.run(['kubeconfig', '--out', 'new/kubeconfig', '--hours', '1']),
    bench.run(['talosconfig', '--role', 'os:reader', '--json']),
  ])
  expect(kubeconfig).toMatchObject({ code: 0, stdout: '' })
  expect(kubeconfig.stderr).toContain('wrote new/kubeconfig, good for an hour')
  expect(json(talosconfig)).toEqual({ path: 'talosconfig', hours: 12, role: 'os:reader' })
  for (const name of ['new/kubeconfig', 'talosconfig']) {
    const { mode, size } = await stat(join(bench.folder, name))
    expect({ mode: mode & 0o777, written: size > 500 }).toEqual({ mode: 0o600, written: true })
  }
})

it.each([
  [
    'a read-only token for an upgrade',
    ['upgrade', '--yes', '-c', 'newer.yaml'],
    'token-read-only',
    readOnly,
  ],
  [
    'a read-only token for a destroy',
    ['destroy', '--confirm', 'demo'],
    'token-read-only',
    readOnly,
  ],
  [
    'no identity for an apply',
    ['apply', '--yes', '-c', 'larger.yaml'],
    'identity-missing',
    () => noIdentity,
  ],
  [
    'a wrong identity for an apply',
    ['apply', '--yes', '-c', 'larger.yaml'],
    'state-signer-unknown',
    stranger,
  ],
  ['a wrong identity for a kubeconfig', ['kubeconfig'], 'state-signer-unknown', stranger],
  ['no room for a kubeconfig', ['kubeconfig', '-o', '/dev/full'], 'disk-full', () => ({})],
  ['another name for a destroy', ['destroy', '--confirm', 'dema'], 'not-confirmed', () => ({})],
  ['no name for a destroy', ['destroy'], 'not-confirmed', () => ({})],
] as const)('%s stops before the first change', async (_name, args, code, environment) => {
  await expectSame(async () => {
    const ended = await bench.run(args, { env: await environment() })
    expectClearFailure(ended, { code: errorCodes[code], mentions: [code] }, bench)
  })
})

it(
  'an upgrade is planned, shown and carried out',
  async () => {
    const file = ['-c', 'newer.yaml']
    const pending = await bench.run(['plan', '--upgrade', '--detailed-exitcode', ...file])
    expect(pending.code).toBe(2)
    const dry = await bench.run(['upgrade', '--dry-run', '--json', ...file])
    expect(json(dry)).toMatchObject({ verb: 'upgrade', applied: false })
    expect(json(await bench.run(['upgrade', '--yes', '--json', ...file]))).toMatchObject({
      applied: true,
    })
    const again = await bench.run(['upgrade', '--yes', ...file])
    expect(again).toMatchObject({ code: 0 })
    expect(again.stdout).toContain('nothing to do')
  },
  hangLimitMs,
)

it(
  'a destroy shows what goes, wants the name, and leaves nothing',
  async () => {
    const dry = await bench.run(['destroy', '--dry-run', '-c', 'newer.yaml'])
    expect(dry.code).toBe(0)
    expect(dry.stdout).toContain('- server demo-control-plane-1')
    const gone = await bench.run(['destroy', '--confirm', 'demo', '--json', '-c', 'newer.yaml'])
    expect(json(gone)).toMatchObject({ verb: 'destroy', destroyed: true, kept: [] })
    const { project, temporary } = await bench.outside()
    expect(Object.values(project).flat()).toEqual([])
    expect(temporary).toEqual([])
    expect(bench.sandbox.world.contractErrors).toEqual([])
  },
  hangLimitMs,
)

async function stranger(): Promise<Record<string, string>> {
  return { HCLOUD_TALOS_AGE_IDENTITY: await generateX25519Identity() }
}
