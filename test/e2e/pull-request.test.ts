import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  dispatchEvent,
  mergeGroupEvent,
  pullRequestEvent,
  pushEvent,
} from '../../scripts/runner-event.ts'
import { findLeaks } from './canaries.ts'
import { type RunnerBench, smallCluster, startRunnerBench, wholeRuns } from './runner-bench.ts'

let bench: RunnerBench

beforeAll(async () => {
  bench = await startRunnerBench()
})

beforeEach(async () => {
  const { github, world, endpoints } = bench.sandbox
  github.comments.length = 0
  github.longestBody = 65_536
  github.tokens.set(endpoints.github.token, 'write')
  world.faults.clear()
  await bench.proposeClusterFile(smallCluster)
})

afterAll(async () => {
  await bench[Symbol.asyncDispose]()
})

const pullRequest = () => bench.job(pullRequestEvent(bench.repository)).step('.', bench.readOnly)
/** Without those of support that ends, which go by the calendar. */
const warnings = (result: { commands: readonly { name: string; message: string }[] }) =>
  result.commands
    .filter(({ name, message }) => name === 'warning' && !message.includes('support of '))
    .map(({ message }) => message)

/** Its recipient is nobody's. */
const clusterOnHosts = `clusterName: rack
hosts:
  - name: cp-1
    address: 192.0.2.11
    role: control-plane
    hostKey: ssh-ed25519 SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
ssh: { key: { environment: RACK_KEY } }
kubeadm: { endpoint: { host: api.example.com:6443 } }
kubernetes: { version: 1.35.4 }
state:
  recipients:
    - age1ktayav25lhrgzxfwyejyluaq6mwg5ruk43elhc9u0927s5xnzqhs2eg575
`

describe('a pull request', wholeRuns, () => {
  test('gets its plan with a token that cannot write and without an identity', async () => {
    const job = bench.job(pullRequestEvent(bench.repository))
    const step = await job.step('reconcile', bench.readOnly)
    expect(step.exitCode).toBe(0)
    expect(step.outputs).toMatchObject({ changes: '17', waiting: '0', risk: 'additive' })
    expect(step.outputs['digest']).toMatch(/^[0-9a-f]{64}$/)
    expect(step.outputs['kubeconfig']).toBeUndefined()
    const [comment, ...others] = bench.sandbox.github.comments
    expect(others).toEqual([])
    expect(comment?.body).toContain('demo: 17 to create')
    expect(step.summary).toContain('demo: 17 to create')
    expect(step.summary).toContain('per month')
    expect((await job.finish()).map(({ exitCode }) => exitCode)).toEqual([0])
    expect(bench.sandbox.world.hetzner.networks.size).toBe(0)
  })

  test('has its comment replaced when it changes', async () => {
    await pullRequest()
    await bench.proposeClusterFile(
      smallCluster.replace('workers: { count: 1', 'workers: { count: 2'),
    )
    const step = await pullRequest()
    expect(step.outputs).toMatchObject({ changes: '19' })
    expect(bench.sandbox.github.comments.map(({ body }) => body)).toEqual([
      expect.stringContaining('demo: 19 to create'),
    ])
  })

  test('from a fork is checked without a token, and nobody is asked', async () => {
    const asked = bench.sandbox.world.requests.length
    const event = pullRequestEvent(bench.repository, { head: 'somebody/clusters' })
    const step = await bench.job(event).step('.', {})
    expect(step.exitCode).toBe(0)
    expect(step.summary).toContain('cluster.yaml is valid')
    expect(bench.sandbox.world.requests.length).toBe(asked)
  })

  test('of a cluster on hosts without their SSH key is checked alone, and says so', async () => {
    await bench.proposeClusterFile(clusterOnHosts)
    const asked = bench.sandbox.world.requests.length
    const step = await bench.job(pullRequestEvent(bench.repository)).step('.', {})
    expect(step.exitCode).toBe(0)
    expect(step.summary).toMatch(/There is no SSH key \(RACK\\?_KEY\): there is no plan/)
    expect(step.commands.map(({ name, message }) => `${name}: ${message}`)).toContain(
      'warning: there is no plan, since there is no SSH key (RACK_KEY): cluster.yaml alone was checked',
    )
    expect(bench.sandbox.world.requests.length).toBe(asked)
  })

  test('from a fork with a mistake in its file fails at the line', async () => {
    await bench.proposeClusterFile(smallCluster.replace('region', 'regoin'))
    const event = pullRequestEvent(bench.repository, { head: null })
    const step = await bench.job(event).step('.', {})
    expect(step.exitCode).toBe(1)
    const error = step.commands.find(({ message }) => message.includes('regoin'))
    expect(error).toMatchObject({
      name: 'error',
      properties: { file: 'cluster.yaml', line: '2', col: '12' },
    })
  })

  test('with several mistakes gets each of them as an annotation, and no comment', async () => {
    const broken = smallCluster
      .replace('controlPlane: { count: 1', 'controlPlane: { count: 2')
      .replace('kubernetes: { version: 1.36.3 }', 'kubernetes: { version: 1.20.0 }')
    await bench.proposeClusterFile(broken)
    const step = await pullRequest()
    expect(step.exitCode).toBe(1)
    const errors = step.commands.filter(({ name }) => name === 'error')
    expect(errors.map(({ properties }) => [properties['line'], properties['col']])).toEqual([
      ['4', '26'],
      ['7', '24'],
      [undefined, undefined],
    ])
    expect(errors.at(-1)?.message).toContain('spec-invalid: 2 mistakes; nothing was changed')
    expect(bench.sandbox.github.comments).toEqual([])
  })

  test('without a token of Hetzner is told which input is missing', async () => {
    const step = await bench.job(pullRequestEvent(bench.repository)).step('.', {})
    expect(step.exitCode).toBe(1)
    expect(step.commands.at(-1)?.message).toMatch(/token-missing: .*hcloud-token/)
  })

  test('without its file is told which one was looked for', async () => {
    const inputs = { ...bench.readOnly, config: 'missing.yaml' }
    const step = await bench.job(pullRequestEvent(bench.repository)).step('.', inputs)
    expect(step.exitCode).toBe(1)
    expect(step.commands.at(-1)?.message).toContain('spec-not-found')
    expect(step.log).toContain('missing.yaml')
  })
})

describe('a comment that GitHub does not take', wholeRuns, () => {
  test('for want of a permission leaves the verdict alone and names the permission', async () => {
    const { github, endpoints } = bench.sandbox
    github.tokens.set(endpoints.github.token, 'read')
    const step = await pullRequest()
    expect(step.exitCode).toBe(0)
    expect(step.outputs).toMatchObject({ changes: '17' })
    expect(warnings(step)).toEqual([expect.stringContaining('pull-requests: write')])
    expect(step.summary).toContain('demo: 17 to create')
  })

  test('because it is too long is tried again, shorter', async () => {
    bench.sandbox.github.longestBody = 6_500
    const pools = Array.from(
      { length: 40 },
      (_, index) => `    - { name: pool-${index}, count: 1, type: cx23 }`,
    )
    const workers = 'workers: { count: 1, type: cx23 }'
    await bench.proposeClusterFile(smallCluster.replace(workers, `workers:\n${pools.join('\n')}`))
    const step = await pullRequest()
    expect(step.exitCode).toBe(0)
    expect(step.summary.length).toBeGreaterThan(6_500)
    expect(bench.sandbox.github.comments[0]?.body).toContain('Cut here')
  })

  test('because it is down leaves the verdict alone', async () => {
    bench.sandbox.world.faults.inject({ kind: 'unavailable', front: 'github', times: 100 })
    const step = await pullRequest()
    expect(step.exitCode).toBe(0)
    expect(warnings(step)).toEqual([expect.stringContaining('503')])
  })
})

describe('other events', wholeRuns, () => {
  test('a merge queue gets a plan, and nobody a comment', async () => {
    const step = await bench.job(mergeGroupEvent(bench.repository)).step('.', bench.readOnly)
    expect(step.exitCode).toBe(0)
    expect(step.outputs).toMatchObject({ changes: '17' })
    expect(bench.sandbox.github.comments).toEqual([])
  })

  test.each([
    ['a push to a branch', () => pushEvent(bench.repository, 'change'), '.'],
    ['a dispatch from a branch', () => dispatchEvent(bench.repository, 'change'), '.'],
    [
      'an upgrade from a branch',
      () => dispatchEvent(bench.repository, 'change'),
      'actions/upgrade',
    ],
    [
      'a stage on a pull request',
      () => pullRequestEvent(bench.repository),
      'actions/reconcile-infra',
    ],
  ])('%s changes nothing', async (_, event, action) => {
    const step = await bench.job(event()).step(action, bench.all)
    expect(step.exitCode).toBe(1)
    expect(step.commands.at(-1)?.message).toMatch(/is refused; hint: Run it /)
    expect(bench.sandbox.world.hetzner.networks.size).toBe(0)
  })

  test('no secret can be read anywhere, and no API was asked what it does not have', async () => {
    expect(await findLeaks(bench)).toEqual([])
    expect(bench.sandbox.world.contractErrors).toEqual([])
  })
})
