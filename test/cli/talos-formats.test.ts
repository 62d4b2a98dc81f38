import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import type { TalosVerbName } from '../../src/cli/commands/talos/talos-commands.ts'
import { startVerbBench, type VerbBench } from './talos-bench.ts'

let at: VerbBench
beforeAll(async () => {
  at = await startVerbBench(5)
})
afterAll(() => at[Symbol.asyncDispose]())

const first = '-n demo-workers-1'
const second = '-n demo-workers-2'

/** A verb's formats, and what is typed to see them: another line for YAML where the first changes what there is. */
interface Printing {
  readonly prints: 'report' | 'sentences' | 'items' | 'bytes'
  readonly json: string
  readonly yaml?: string
  /** Whether its values are others each time: what they are is compared then. */
  readonly varies?: boolean
}

const report = (json: string, yaml?: string): Printing => ({
  prints: 'report',
  json,
  ...(yaml !== undefined && { yaml }),
})
const items = (json: string): Printing => ({ prints: 'items', json })
const bytes = (json: string): Printing => ({ prints: 'bytes', json })

const verbs: Readonly<Record<TalosVerbName, Printing>> = {
  version: report('version'),
  services: report('services kubelet'),
  containers: report('containers -k'),
  stats: report('stats -k'),
  cgroups: report('cgroups'),
  processes: report(`processes ${first}`),
  memory: report('memory'),
  mounts: report('mounts'),
  'image list': report('image list'),
  'image pull': report(`image pull registry.k8s.io/pause:3.10 ${first}`),
  'service restart': report(`service restart kubelet --yes ${first}`),
  logs: items(`logs kubelet --tail 2 ${first}`),
  dmesg: items(`dmesg ${first}`),
  events: items(`events --tail 3 --duration 1 ${first}`),
  get: report('get members'),
  health: { prints: 'sentences', json: 'health' },
  'etcd members': report('etcd members'),
  'etcd status': report('etcd status'),
  'etcd snapshot': bytes('etcd snapshot db'),
  'etcd defrag': { ...report('etcd defrag --yes'), varies: true },
  'etcd alarm list': report('etcd alarm list'),
  'etcd alarm disarm': report('etcd alarm disarm --yes'),
  read: bytes(`read /etc/hostname ${first}`),
  copy: bytes(`copy /etc ${first}`),
  list: { ...report(`list /etc ${first}`), varies: true },
  usage: report(`usage /etc ${first}`),
  netstat: report(`netstat ${first}`),
  pcap: bytes(`pcap ${first}`),
  support: bytes(`support ${first}`),
  patch: report(`patch PATCH --dry-run ${first}`),
  reboot: report(`reboot --yes --no-gate ${first}`, `reboot --yes --no-gate ${second}`),
  // Nothing was upgraded: what is printed is why not.
  rollback: {
    ...report(`rollback --yes --no-gate ${first}`, `rollback --yes --no-gate ${second}`),
    varies: true,
  },
  reset: report(`reset --yes ${first}`, `reset --yes ${second}`),
  shutdown: report(
    'shutdown --yes --no-gate -n demo-workers-3',
    'shutdown --yes --no-gate -n demo-workers-4',
  ),
}

const withFormat = (words: string, format: string) =>
  at.type(`${words.replace('PATCH', join(at.folder, 'patch.yaml'))} -o ${format}`)

/** What stays the same when another node is asked. */
function withoutNode(reports: unknown): unknown {
  if (!Array.isArray(reports)) return reports
  return reports.map(({ node, ...rest }) => ({ ...rest, hasNode: typeof node === 'string' }))
}

/** Of which kinds the values are. */
function kindsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(kindsOf)
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, kindsOf(each)]))
}

describe.each(Object.entries(verbs))('%s', (_name, { prints, json, yaml = json, varies }) => {
  if (prints === 'bytes') {
    it('has no format, and refuses to be given one', async () => {
      const { error, stdout } = await withFormat(json, 'json')
      expect(error).toMatchObject({ code: 'commander.unknownOption' })
      expect(stdout).toBe('')
    })
    return
  }
  it(`prints the same as JSON and as YAML, as ${prints}`, async () => {
    const inJson = (await withFormat(json, 'json')).stdout
    const inYaml = (await withFormat(yaml, 'yaml')).stdout
    if (prints === 'items') {
      const lines = inJson.trimEnd().split('\n')
      expect(lines.length).toBeGreaterThan(0)
      const objects = lines.map((line) => JSON.parse(line))
      expect(objects).toEqual(
        objects.map(() => expect.objectContaining({ node: expect.any(String) })),
      )
      const documents = parseAllDocuments(inYaml).map((each) => each.toJS())
      expect(documents).toEqual(objects)
      return
    }
    const value: unknown = JSON.parse(inJson)
    const compared = varies ? kindsOf : (each: unknown) => each
    expect(compared(withoutNode(parse(inYaml)))).toEqual(compared(withoutNode(value)))
    const shape =
      prints === 'report'
        ? { node: expect.any(String) }
        : { sentence: expect.any(String), ok: true }
    expect(value).toEqual(expect.arrayContaining([expect.objectContaining(shape)]))
  })
  it('has a table for people, which is no JSON', async () => {
    const { stdout } = await withFormat(json, 'table')
    expect(() => JSON.parse(stdout)).toThrow()
  })
})

it('a watch is one object of JSON, or document of YAML, for each change', async () => {
  const watched = async (format: string) => {
    const stop = new AbortController()
    let text = ''
    await at.type(`get services kubelet -w -o ${format} -n demo-workers-5`, {
      context: at.bench.run({ signal: stop.signal }),
      onPrint: (piece) => {
        text += piece
        stop.abort(new Error('enough'))
      },
    })
    return text
  }
  const json: unknown = JSON.parse(await watched('json'))
  expect(json).toMatchObject({ node: 'demo-workers-5', sign: '+', resource: { spec: {} } })
  expect(parse(await watched('yaml'))).toEqual(json)
})

it('health that fails says in JSON what is so and what is not, with why', async () => {
  await at.type('shutdown --yes --no-gate -n demo-workers-5')
  const { stdout, error } = await at.type('health -o json --wait-timeout 1')
  expect(error).toMatchObject({ code: 'talos-refused' })
  const sentences: { ok: boolean; reason?: string }[] = JSON.parse(stdout)
  expect(sentences.map(({ ok }) => ok)).toContain(true)
  expect(sentences.at(-1)).toEqual({
    sentence: expect.any(String),
    ok: false,
    reason: expect.any(String),
  })
})
