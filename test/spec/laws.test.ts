import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { serversFileJsonSchema } from '../../scripts/file-schemas.ts'
import { hasErrors } from '../../src/lib/finding.ts'
import { isJsonObject, type JsonObject } from '../../src/lib/json.ts'
import { loadSpec } from '../../src/spec/load-spec.ts'
import { withValueAt } from '../../src/spec/yaml/value-at.ts'
import { findingsOf, sampleFile } from './sample-file.ts'

const production = readFileSync(new URL('../../examples/production.yaml', import.meta.url), 'utf8')

/** The full-featured example, its ranges derived: fields that depend on others cannot go alone. */
const richFile = withValueAt(parse(production), ['network'], {})

/** What a rule of the firewall cannot be without is for the checks to say, not for the schema. */
const needed = new Set(['port', 'sources', 'destinations'])

/** The paths of what a file may leave out, as far as it has it. */
function optionalPaths(
  shape: JsonObject,
  value: unknown,
  path: (string | number)[] = [],
): (string | number)[][] {
  const branches = shape['anyOf'] ?? shape['oneOf']
  const forms = Array.isArray(branches) ? branches.filter(isJsonObject) : [shape]
  const form = forms.find(({ items }) => Array.isArray(value) === (items !== undefined)) ?? shape
  const { items, properties, required } = form
  if (Array.isArray(value) && isJsonObject(items)) {
    return value.flatMap((entry, index) => optionalPaths(items, entry, [...path, index]))
  }
  if (!isJsonObject(properties) || typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const field = properties[key]
    const here = [...path, key]
    const below = isJsonObject(field) ? optionalPaths(field, inner, here) : []
    const isRequired = Array.isArray(required) && required.includes(key)
    return isRequired || needed.has(key) ? below : [here, ...below]
  })
}

function shuffled(value: unknown, order: readonly number[]): unknown {
  if (Array.isArray(value)) return value.map((entry) => shuffled(entry, order))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner], index) => ({
    key,
    inner: shuffled(inner, order),
    rank: order[(index + key.length) % order.length] ?? 0,
  }))
  entries.sort((a, b) => a.rank - b.rank)
  return Object.fromEntries(entries.map(({ key, inner }) => [key, inner]))
}

/** Texts near the sample: cut, repeated, with characters exchanged. */
const damaged = fc
  .tuple(
    fc.nat(sampleFile.length),
    fc.nat(40),
    fc.oneof(
      fc.string({ maxLength: 12, unit: 'binary' }),
      fc.constantFrom(
        '\t',
        '*a',
        '&a ',
        '<<: ',
        '[',
        '{',
        '"',
        ': ',
        '- ',
        '\n',
        '|',
        '!!',
        '---\n',
        '~',
        '.inf',
      ),
    ),
  )
  .map(
    ([start, length, text]) => sampleFile.slice(0, start) + text + sampleFile.slice(start + length),
  )

function expectSound(text: string): void {
  const { spec, findings } = loadSpec(text)
  expect(spec === undefined).toBe(hasErrors(findings))
  // A carriage return alone begins no line: editors and the parser count line feeds.
  const lines = text.split('\n')
  for (const { position, message } of findings) {
    const line = position?.line ?? 0
    const column = position?.column ?? 0
    expect(line).toBeGreaterThanOrEqual(1)
    expect(line).toBeLessThanOrEqual(lines.length)
    expect(column).toBeGreaterThanOrEqual(1)
    expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1)
    expect(message).not.toMatch(/undefined|NaN|\[object|Invalid input|\bexpected /)
  }
}

describe('Laws of loading a cluster file', () => {
  it('never throws, and every finding stands inside the text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), expectSound), {
      numRuns: 200,
    })
    fc.assert(fc.property(damaged, expectSound), { numRuns: 300 })
  })

  it('values of any kind in any place give findings in plain words', () => {
    const paths = optionalPaths(serversFileJsonSchema, richFile)
    const anything = fc.oneof(
      fc.constantFrom<unknown>(null, true, 7, -1, 1.5, '', 'x', [], {}, [null], [[]], { a: {} }),
      fc.jsonValue({ maxDepth: 2 }),
    )
    const broken = fc
      .array(fc.tuple(fc.constantFrom(...paths), anything), { minLength: 1, maxLength: 3 })
      .map((edits) =>
        edits.reduce((file, [path, value]) => withValueAt(file, path, value), richFile),
      )
    fc.assert(
      fc.property(broken, (file) => expectSound(stringify(file))),
      { numRuns: 150 },
    )
  })

  it('whatever is optional may be left out, in any combination', () => {
    const paths = optionalPaths(serversFileJsonSchema, richFile)
    expect(paths.length).toBeGreaterThan(40)
    fc.assert(
      fc.property(fc.subarray(paths), (removed) => {
        const file = removed.reduce((rest, path) => withValueAt(rest, path, undefined), richFile)
        expect(
          loadSpec(stringify(file)).findings.filter(({ severity }) => severity === 'error'),
        ).toEqual([])
      }),
      { numRuns: 100 },
    )
  })

  it('the order of keys never matters', () => {
    const { spec } = loadSpec(production)
    const order = fc.array(fc.nat(100), { minLength: 13, maxLength: 13 })
    fc.assert(
      fc.property(order, (ranks) => {
        const text = stringify(shuffled(parse(production), ranks))
        const again = loadSpec(text)
        expect(again.findings).toEqual([])
        expect(parsePatches(again.spec)).toEqual(parsePatches(spec))
      }),
      { numRuns: 30 },
    )
  })

  it('one mistake never hides another', () => {
    const edits: [from: string, to: string][] = [
      ['clusterName: demo', 'clusterName: Demo'],
      ['region: hel1', 'region: hel1\n  networkZone: us-east'],
      ['count: 3', 'count: 4'],
      ['type: cx23', 'type: cx233'],
      ['count: 2', 'count: 2.5'],
      ['type: cx33', 'type: cx33\n    labels: {a b: c}'],
      ['v1.9.0', 'v1.9.0\n  nameservers: [x]'],
      ['1.32.0', '1.34.0'],
      ['state:', 'frob: 1\nstate:'],
      ['s2eg575', 's2eg576'],
    ]
    const messages = (text: string) => findingsOf(text).map((line) => line.replace(/^\S+ /, ''))
    const apply = (chosen: typeof edits) =>
      chosen.reduce((text, [from, to]) => text.replace(from, to), sampleFile)
    fc.assert(
      fc.property(fc.subarray(edits, { minLength: 1 }), (chosen) => {
        const alone = chosen.flatMap((edit) => messages(apply([edit])))
        expect(messages(apply(chosen)).sort()).toEqual(alone.sort())
      }),
      { numRuns: 60 },
    )
  })
})

/** A patch that is written in place keeps its order of keys; what it says does not depend on it. */
function parsePatches(spec: ReturnType<typeof loadSpec>['spec']) {
  const read = (patches: readonly string[] = []) => patches.map((text): unknown => parse(text))
  return {
    ...spec,
    workers: spec?.workers.map((pool) => ({ ...pool, patches: read(pool.patches) })),
    talos: {
      ...spec?.talos,
      patches: read(spec?.talos.patches),
      workerPatches: read(spec?.talos.workerPatches),
    },
  }
}
