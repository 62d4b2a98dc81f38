import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { isClusterError } from '../../../src/lib/cluster-error.ts'
import { isJsonObject } from '../../../src/lib/json.ts'
import { applyPatches } from '../../../src/talos/config/apply-patch.ts'
import { documentIdentity } from '../../../src/talos/config/config-document.ts'
import { parseConfigDocuments } from '../../../src/talos/config/config-documents.ts'
import { checkValue } from '../../../src/talos/config/validate/check-value.ts'
import { documentKind } from '../../../src/talos/config/validate/known-fields.ts'
import { formatYamlDocuments } from '../../../src/talos/config/yaml-documents.ts'
import { minors } from './mod-files.ts'
import { startTalosPatcher, type TalosPatcher } from './talos-judge.ts'

/** A scalar as somebody may write it into a patch. */
const spellings = [
  ...['1.10', '0123', '0644', '0100', '08', '1e3', '12e03', '0x10', '0x', '0b11', '0o17', '1_000'],
  ...['-0', '+5', '-5', '1.0', '1.5', '1.', '1e999', '0', '4294967296', '1_', '0_7', '00'],
  ...[
    'yes',
    'Yes',
    'YES',
    'no',
    'on',
    'On',
    'off',
    'OFF',
    'y',
    'Y',
    'n',
    'N',
    'true',
    'True',
    'TRUE',
  ],
  ...['false', '~', '', 'null', 'Null', 'nil', '"~"', '""', "'yes'", '"0644"', '"1.10"', '"true"'],
  ...[
    '2001-01-01',
    '2001-1-2',
    '2001-1-2T3:4:5Z',
    '2001-1-2 3:4:5',
    '2001-02-30',
    '12:30',
    '190:20:30',
  ],
  ...['.inf', '-.inf', '+.INF', '.nan', '.5', '.', '=', '-', '5m', '1h30m', '90s', '0s', 'a: b'],
  ...['!!str 12', '!!int 12', '!!int "12"', '!!float 3', '!!bool true', '!!bool 1', '!!str yes'],
  ...[
    '!!binary aGVsbG8=',
    '!!binary 7',
    '|-\n        0644',
    '|\n        text',
    '>-\n        a\n        b',
  ],
  ...[
    '10.0.0.1',
    '10.0.0.0/8',
    '65535',
    '65536',
    '80-90',
    '8000',
    '-1',
    '[0644, 1.10]',
    '{a: 0644}',
  ],
] as const

/** Fields of every kind that Talos reads, with the document that holds a value there. */
const fields: readonly {
  readonly kind: string
  readonly patch: string
  readonly since?: number
}[] = [
  { kind: 'text of a map', patch: 'machine:\n  sysctls:\n    a: VALUE\n' },
  { kind: 'text', patch: 'machine:\n  install:\n    disk: VALUE\n' },
  { kind: 'text of a list', patch: 'machine:\n  certSANs:\n    - VALUE\n' },
  { kind: 'argument', patch: 'cluster:\n  apiServer:\n    extraArgs:\n      v: VALUE\n' },
  { kind: 'label', patch: 'machine:\n  nodeLabels:\n    a: VALUE\n' },
  { kind: 'environment', patch: 'machine:\n  env:\n    A: VALUE\n' },
  {
    kind: 'octal mode',
    patch:
      'machine:\n  files:\n    - path: /var/a\n      op: create\n      content: a\n      permissions: VALUE\n',
  },
  { kind: 'int', patch: 'machine:\n  features:\n    kubePrism:\n      port: VALUE\n' },
  { kind: 'bool', patch: 'machine:\n  install:\n    wipe: VALUE\n' },
  {
    kind: 'bool without a pointer',
    patch:
      'machine:\n  network:\n    interfaces:\n      - interface: eth1\n        ignore: VALUE\n',
  },
  { kind: 'duration', patch: 'machine:\n  time:\n    bootTimeout: VALUE\n' },
  { kind: 'anything', patch: 'machine:\n  kubelet:\n    extraConfig:\n      a: VALUE\n' },
  {
    kind: 'anything over a number',
    patch: 'machine:\n  kubelet:\n    extraConfig:\n      maxPods: VALUE\n',
  },
  {
    kind: 'anything deeper',
    patch: 'machine:\n  kubelet:\n    extraConfig:\n      a: {b: [VALUE]}\n',
  },
  { kind: 'key', patch: 'machine:\n  sysctls:\n    VALUE: a\n' },
  {
    kind: 'hostname',
    patch: 'apiVersion: v1alpha1\nkind: HostnameConfig\nauto: VALUE\n',
    since: 12,
  },
  {
    kind: 'ports',
    patch:
      'apiVersion: v1alpha1\nkind: NetworkRuleConfig\nname: a\nportSelector:\n  protocol: tcp\n  ports:\n    - VALUE\n',
  },
  { kind: 'name', patch: 'apiVersion: v1alpha1\nkind: ExtensionServiceConfig\nname: VALUE\n' },
  {
    kind: 'JSON patch into a text',
    patch: '- op: add\n  path: /machine/sysctls/b\n  value: VALUE\n',
  },
  {
    kind: 'JSON patch into anything',
    patch: '- op: add\n  path: /machine/kubelet/extraConfig/b\n  value: VALUE\n',
  },
]

const base = `version: v1alpha1
machine:
  type: worker
  sysctls: {a: former}
  kubelet: {extraConfig: {maxPods: 10}}
cluster:
  controlPlane: {endpoint: "https://1.2.3.4:6443"}
`

/** Where we do otherwise than machinery, and why. */
const differences: readonly (readonly [
  why: string,
  kind: RegExp,
  spelling: RegExp,
  since?: number,
])[] = [
  [
    'Go does not merge a fraction over a whole number, and JSON tells them not apart',
    /over a number$/,
    /^(!!float )?[\d-]*(\d\.\d*|\.\d+|\d[eE]\d+|08|-0|3)$/,
  ],
  ['no component takes a number that is not finite', /^anything/, /^[-+]?\.(inf|INF|nan)$/],
  ['Go makes the smallest number of minus infinity', /^(int|octal mode)/, /^-\.inf$/],
  ['a key without a text is left out by Go, and meant by nobody', /^key$/, /^(~|null|Null|)$/],
  ['Talos 1.14 refuses a day in a text: we write it in quotes', /./, /^2001-/, 13],
  [
    'Talos 1.14 takes a fraction for nanoseconds',
    /^duration$/,
    /^(08|1e3|12e03|1\.0?|!!float 3)$/,
    13,
  ],
  ['Talos 1.13 refuses a zero with a sign: we write it without', /^duration$/, /^-0$/, 13],
  ['a list in a flow may not begin with a hyphen', /deeper$/, /^-$/],
]

function isKnownDifference(kind: string, spelling: string, minor: number): boolean {
  return differences.some(
    ([, kinds, spellings, since = 9]) =>
      minor >= since && kinds.test(kind) && spellings.test(spelling),
  )
}

/** Block texts and further structure do not fit into a flow or into a key. */
function fits(spelling: string, patch: string): boolean {
  if (/[[{]VALUE/.test(patch)) return !/[\n:]/.test(spelling)
  return !patch.includes('VALUE: ') || !/^[[{|>]|: /.test(spelling)
}

describe.each(minors)('Talos 1.%i', (minor) => {
  let talos: TalosPatcher
  beforeAll(async () => {
    talos = await startTalosPatcher(minor)
  })
  afterAll(() => talos[Symbol.asyncDispose]())

  test.each(fields.filter(({ since = 9 }) => minor >= since))(
    'a value is what machinery makes of its spelling: $kind',
    async ({ kind, patch }) => {
      const wrong: unknown[] = []
      for (const spelling of spellings.filter((each) => fits(each, patch))) {
        const text = patch.replace('VALUE', () => spelling)
        const { ours, theirs } = await bothMake(text)
        if (isKnownDifference(kind, spelling, minor)) continue
        if (JSON.stringify(ours) !== JSON.stringify(theirs)) wrong.push({ spelling, ours, theirs })
      }
      expect(wrong).toEqual([])
    },
  )

  async function bothMake(text: string): Promise<{ ours: unknown; theirs: unknown }> {
    const made = patched(text)
    const { text: theirText } = await talos.patch(base, text)
    return {
      ours: made === undefined ? 'refused' : await rewritten(made),
      theirs: theirText === undefined ? 'refused' : await rewritten(theirText),
    }
  }

  /** As Go writes what it reads: so that a value is compared, and not how it is written. */
  async function rewritten(text: string): Promise<unknown> {
    const { text: written } = await talos.patch(text, 'debug: false\n')
    if (written === undefined) return 'refused'
    return parseAllDocuments(written).map((document) => document.toJS())
  }

  /** Our config with the patch; undefined where it is refused. */
  function patched(text: string): string | undefined {
    const config = parseConfigDocuments(base).filter(isJsonObject)
    try {
      const documents = applyPatches(config, [{ text, source: 'the patch' }])
      const faults = documents.flatMap((document) => {
        const kind = documentKind(documentIdentity(document).kind, minor)
        return kind === undefined ? [] : checkValue(kind.struct, document, [], minor)
      })
      return faults.length > 0 ? undefined : formatYamlDocuments(documents)
    } catch (error) {
      if (isClusterError(error, 'spec-invalid')) return undefined
      throw error
    }
  }
})
