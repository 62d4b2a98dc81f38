import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorCodes } from '../../src/lib/error-codes.ts'
import { clusterText } from './cluster-text.ts'
import { type CommandBench, startCommandBench } from './command-bench.ts'
import { expectClearFailure } from './mistake.ts'

let bench: CommandBench
let lines: readonly string[] = []
beforeAll(async () => {
  bench = await startCommandBench()
  await bench.write('cluster.yaml', clusterText())
  const { github } = bench.sandbox.endpoints
  const env = {
    HCLOUD_TALOS_RECORD: 'life.jsonl',
    GITHUB_TOKEN: github.token,
    GITHUB_REPOSITORY: github.repository,
  }
  for (const args of [['apply', '--yes'], ['doctor'], ['destroy', '--confirm', 'demo']]) {
    const { code, stderr } = await bench.run(args, { env })
    if (args[0] !== 'doctor') expect(code, stderr).toBe(0)
  }
  lines = (await readFile(join(bench.folder, 'life.jsonl'), 'utf8')).trimEnd().split('\n')
})
afterAll(() => bench[Symbol.asyncDispose]())

const compare = (file: string, ...more: string[]) =>
  bench.run(['sandbox', '--compare', file, ...more])

type Line = ReturnType<typeof JSON.parse>

/** The recording with one line changed: the first that `fits`. Returns its number. */
async function altered(
  name: string,
  fits: (line: Line) => boolean,
  change: (line: Line) => void,
): Promise<number> {
  const parsed = lines.map((line) => JSON.parse(line))
  const index = parsed.findIndex(fits)
  expect(index).toBeGreaterThanOrEqual(0)
  change(parsed[index])
  await bench.write(name, `${parsed.map((line) => JSON.stringify(line)).join('\n')}\n`)
  return index + 1
}

describe('A recording', () => {
  it('that was made against the sandbox compares as equal', async () => {
    const { code, stdout, stderr } = await compare('life.jsonl')
    expect(stdout).toMatch(/^(\d+) of \1 exchanges compared, 0 differences\n$/)
    expect(code, stderr).toBe(0)
  })

  it('with another status is reported, with both codes and its line', async () => {
    const line = await altered(
      'code.jsonl',
      ({ method, path }) => method === 'POST' && path === '/networks',
      (exchange) => {
        exchange.status = 409
        exchange.response = { error: { code: 'uniqueness_error', message: '', details: null } }
      },
    )
    const ended = await compare('code.jsonl')
    expect(ended.code).toBe(errorCodes['recording-differs'])
    expect(ended.stdout).toContain(
      `${line} POST /networks: code: 409 uniqueness_error in the recording, 201 here\n`,
    )
  })

  it('with other fields and types is reported, field by field', async () => {
    const line = await altered(
      'shape.jsonl',
      ({ method, path }) => method === 'POST' && path === '/networks',
      ({ response: { network } }) => {
        network.ip_range = 16
        network.new_field = true
        for (const subnet of network.subnets) delete subnet.gateway
      },
    )
    const { stdout, code } = await compare('shape.jsonl')
    expect(code).toBe(errorCodes['recording-differs'])
    const about = `${line} POST /networks: shape: network`
    expect(stdout).toContain(`${about}.ip_range: number in the recording, text here\n`)
    expect(stdout).toContain(`${about}.new_field: missing here\n`)
    expect(stdout).toContain(`${about}.subnets[].gateway: not in the recording\n`)
  })

  it('with a list in another order is reported, as JSON too', async () => {
    const line = await altered(
      'order.jsonl',
      ({ path }) => path.startsWith('/server_types'),
      ({ response }) => response.server_types.reverse(),
    )
    const { stdout, code } = await compare('order.jsonl', '--json')
    expect(code).toBe(errorCodes['recording-differs'])
    const report = JSON.parse(stdout)
    expect(report.differences).toBe(1)
    expect(report.exchanges[line - 1]).toMatchObject({
      line,
      differences: [
        { about: 'order', says: expect.stringMatching(/^server_types: .* after it here$/) },
      ],
    })
  })

  it('of what was there before is not played, and says so', async () => {
    const rest = lines.filter((line) => !/"method":"POST"/.test(line))
    await bench.write('rest.jsonl', `${rest.join('\n')}\n`)
    const { stdout } = await compare('rest.jsonl')
    expect(stdout).toMatch(/not played: .*\d+: the server is of before the recording/)
  })

  it('that is none is one clear failure', async () => {
    for (const [file, named] of [
      ['cluster.yaml', 'line 1 is no exchange'],
      ['nowhere.jsonl', 'cannot be read'],
    ] as const) {
      expectClearFailure(
        await compare(file),
        { code: errorCodes.usage, mentions: [named, file] },
        bench,
      )
    }
  })
})
