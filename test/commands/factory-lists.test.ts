import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { buildImages } from '../../src/commands/modes/hetzner-talos/build-images.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import { clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { holdings } from './world-facts.ts'

let bench: Bench
beforeAll(async () => {
  bench = await startBench()
})
afterAll(() => bench[Symbol.asyncDispose]())

const file = (version: string, extensions: string[] = []) =>
  clusterFile({}, { talos: { version, extensions } })

/** What a plan has to say of versions and extensions, each with its line. */
async function factoryFindings(
  version: string,
  extensions?: string[],
  context?: Partial<RunContext>,
) {
  const run = { ...bench.run(), ...context }
  const { plan } = await planCluster(run, { file: file(version, extensions), verb: 'apply' })
  return plan.findings.map(
    ({ severity, message, hint, position }) =>
      `${position?.line} ${severity}: ${message} -> ${hint}`,
  )
}

/** What a factory answers with; it fails where that is absent. */
interface Answers {
  versions?: unknown
  extensions?: unknown
}

/** A factory that answers like this as long as `use` takes, and is then gone. */
async function shortLived(
  answers: Answers,
  use: (factory: string) => Promise<unknown>,
): Promise<string> {
  const server = createServer(({ url }, response) => {
    const answer = url === '/versions' ? answers.versions : answers.extensions
    response.writeHead(answer === undefined ? 500 : 200).end(JSON.stringify(answer ?? {}))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const factory = typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : ''
  await use(factory)
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
  return factory
}

describe('the image factory is asked for what it has before anything is paid for', () => {
  const missing =
    '17 error: talos.version is v1.13.99, which the image factory does not have -> Take v1.13.9, the last one of v1.13 that it lists.'

  test('a version that it lists, with extensions that it lists, is nothing to speak of', async () => {
    expect(await factoryFindings('v1.13.9', ['siderolabs/iscsi-tools'])).toEqual([])
  })

  test('a version that it does not have is an error, in the plan and for an apply', async () => {
    expect(await factoryFindings('v1.13.99')).toEqual([missing])
    await expect(applyCluster(bench.run(), { file: file('v1.13.99') })).rejects.toMatchObject({
      code: 'plan-refused',
    })
    await expect(buildImages(bench.run(), { file: file('v1.13.99') })).rejects.toMatchObject({
      code: 'spec-invalid',
    })
    expect(holdings(bench.sandbox.world)).toEqual({})
  })

  test('so is an extension', async () => {
    expect(await factoryFindings('v1.13.9', ['siderolabs/iscsi-tool'])).toEqual([
      '19 error: the image factory has no extension siderolabs/iscsi-tool for Talos v1.13.9 -> Did you mean siderolabs/iscsi-tools?',
    ])
  })

  test('where it does not answer, nothing is known', async () => {
    const factory = await shortLived({}, async () => undefined)
    const endpoints = { ...bench.run().endpoints, factory }
    expect(await factoryFindings('v1.13.9', [], { endpoints })).toEqual([
      '17 warning: whether the image factory has Talos v1.13.9 is not known: it does not answer -> Run it again; if that stays so, look whether this machine reaches the factory, and at talos.factory where the file has it.',
    ])
  })

  test('or what an earlier run has seen, which is no reason to refuse', async () => {
    const { endpoints } = bench.run()
    const factory = await shortLived({ versions: ['v1.13.0'], extensions: [] }, (up) =>
      factoryFindings('v1.13.9', [], { endpoints: { ...endpoints, factory: up } }),
    )
    expect(await factoryFindings('v1.13.9', [], { endpoints: { ...endpoints, factory } })).toEqual([
      '17 warning: talos.version is v1.13.9, which the image factory does not have, as far as an earlier run has seen -> Take v1.13.0, the last one of v1.13 that it lists.',
    ])
  })

  describe('each list is known by itself', () => {
    const named = [{ name: 'siderolabs/gvisor' }]
    const wanted = ['siderolabs/gvisors']
    const unknown =
      '18 warning: whether the image factory has these extensions for Talos v1.13.9 is not known: it does not list them -> Run it again; if that stays so, look whether this machine reaches the factory, and at talos.factory where the file has it.'
    const misspelt = (severity: string) =>
      `19 ${severity}: the image factory has no extension siderolabs/gvisors for Talos v1.13.9 -> Did you mean siderolabs/gvisor?`

    /** What is said at each of these answers in turn, by one factory. */
    async function inTurn(...turns: Answers[]): Promise<string[][]> {
      const answers: Answers = {}
      const all: string[][] = []
      await shortLived(answers, async (factory) => {
        const endpoints = { ...bench.run().endpoints, factory }
        for (const turn of turns) {
          Object.assign(answers, { versions: undefined, extensions: undefined }, turn)
          all.push(await factoryFindings('v1.13.9', wanted, { endpoints }))
        }
      })
      return all
    }

    test('extensions that are not listed are unknown, and no list of an earlier run is lost by it', async () => {
      const versions = ['v1.13.9']
      const turns = [{ versions }, { versions, extensions: named }, { versions }, {}]
      expect(await inTurn(...turns)).toEqual([
        [unknown],
        [misspelt('error')],
        [misspelt('warning')],
        [misspelt('warning')],
      ])
    })

    test('versions that are not listed are unknown, and what it says of extensions still counts', async () => {
      const notKnown = expect.stringMatching(
        /^17 warning: whether .* has Talos v1.13.9 is not known/,
      )
      const older = expect.stringMatching(/^17 warning: .* as far as an earlier run has seen/)
      const turns = [{ extensions: named }, {}, { versions: ['v1.13.0'] }, { extensions: named }]
      expect(await inTurn(...turns)).toEqual([
        [notKnown, misspelt('error')],
        [notKnown, misspelt('warning')],
        [expect.stringMatching(/^17 error/), misspelt('warning')],
        [older, misspelt('error')],
      ])
    })

    test('an answer without an end is none', async () => {
      const versions = ['v1.13.9', 'v'.repeat(4 << 20)]
      expect(await inTurn({ versions, extensions: named })).toEqual([
        [expect.stringContaining('has Talos v1.13.9 is not known'), misspelt('error')],
      ])
    })
  })
})
