import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { errorCodes } from '../../src/lib/error-codes.ts'
import { bare, clusterFile } from '../commands/cluster-files.ts'
import { closedEndpoint, type StrangeEndpoint, silentEndpoint } from '../strange-endpoint.ts'
import { type CommandBench, startCommandBench } from './command-bench.ts'
import { type MeasuredBench, measuredBench } from './measured-bench.ts'

// Whoever scripts the doctor reads its exit code: success says that everything was looked at.
const incomplete = errorCodes['doctor-incomplete']

let bench: CommandBench
let at: MeasuredBench
let strange: Readonly<Record<'closed' | 'silent', StrangeEndpoint>>

beforeAll(async () => {
  bench = await startCommandBench()
  at = measuredBench(bench)
  strange = { closed: await closedEndpoint(), silent: await silentEndpoint() }
  const anywhere = ['127.0.0.0/8']
  const firewall = { talosApi: anywhere, kubernetesApi: anywhere }
  await bench.write('cluster.yaml', clusterFile({ workers: 0 }, { ...bare, firewall }).text)
  expect((await at.run(['apply', '--yes'])).code).toBe(0)
})
afterAll(async () => {
  await strange.silent[Symbol.asyncDispose]()
  await bench[Symbol.asyncDispose]()
})

const doctor = (env: Readonly<Record<string, string>> = {}, ...args: string[]) =>
  at.run(['doctor', ...args], env)

beforeEach(async () => {
  const { code, stdout, stderr } = await doctor()
  expect(code, stdout + stderr).toBe(0)
  expect(stdout).not.toMatch(/^unknown/m)
  expect(stdout).toMatch(/^ok +github: the repository is not on GitHub$/m)
})

const outsides = {
  hetzner: (host: string) => ({ HCLOUD_ENDPOINT: `http://${host}/v1` }),
  state: (host: string) => ({ HCLOUD_TALOS_REMOTE: `http://${host}/org/clusters` }),
  github: (host: string) => ({
    GITHUB_API_URL: `http://${host}`,
    GITHUB_REPOSITORY: 'org/clusters',
    GITHUB_TOKEN: 'token',
  }),
}

it.each([
  ['hetzner', 'closed'],
  ['hetzner', 'silent'],
  ['state', 'closed'],
  ['state', 'silent'],
  ['github', 'closed'],
  ['github', 'silent'],
] as const)('%s that is %s was not looked at, and that is no success', async (area, kind) => {
  const { code, stdout, stderr } = await doctor(outsides[area](strange[kind].host))
  expect(stdout).toMatch(new RegExp(`^unknown ${area}: .*\\n +→ .`, 'm'))
  expect(stdout).not.toMatch(/^BAD/m)
  expect(code, stdout + stderr).toBe(incomplete)
  expect(stderr).toMatch(new RegExp(`doctor-incomplete: .*\\b${area}\\b`))
})

it('nodes that this machine does not reach were not looked at', async () => {
  const { firewalls } = bench.sandbox.world.hetzner
  const former = [...firewalls.values()].map(({ rules }) => ({ rules, all: [...rules] }))
  for (const { rules } of former) rules.splice(0)
  const [plain, allowed, strict] = await Promise.all([
    doctor(),
    doctor({}, '--allow-unknown'),
    doctor({}, '--allow-unknown', '--fail-on', 'unknown'),
  ])
  for (const { rules, all } of former) rules.splice(0, rules.length, ...all)
  for (const area of ['etcd', 'nodes', 'kubernetes']) {
    expect(plain.stdout).toMatch(new RegExp(`^unknown ${area}: .*\\n +→ .`, 'm'))
  }
  expect(plain.stdout).not.toMatch(/^BAD/m)
  expect(plain.code, plain.stderr).toBe(incomplete)
  expect(allowed.stdout).toMatch(/^unknown nodes/m)
  expect(allowed.code, allowed.stderr).toBe(0)
  expect(strict.code).toBe(errorCodes['doctor-findings'])
})

it('what nobody was given the means for was not looked at either', async () => {
  const blind = await doctor({
    HCLOUD_TALOS_AGE_IDENTITY: '',
    GITHUB_REPOSITORY: 'org/clusters',
  })
  expect(blind.stdout).toMatch(/^unknown github: GitHub was not asked/m)
  expect(blind.stdout).toMatch(/^unknown nodes: .*age identity/m)
  expect(blind.code).toBe(incomplete)
})

it('none of them had to be ended with something still open', async () => {
  expect(await at.forcedEnds()).toEqual([])
})
