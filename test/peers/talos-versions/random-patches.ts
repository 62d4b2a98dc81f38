import fc from 'fast-check'
import type { Json, JsonObject } from '../../../src/lib/json.ts'
import {
  documentKind,
  documentKinds,
  fieldsOf,
  isStruct,
  namesOf,
} from '../../../src/talos/config/validate/known-fields.ts'

/** Texts of every form that some field wants, and of some that none does. */
const texts = fc.constantFrom(
  '',
  'x',
  'on',
  '7',
  'eth0',
  'none',
  'custom',
  'STATE',
  'EPHEMERAL',
  '10.0.0.1',
  '0.0.0.0',
  'fe80::1%eth0',
  '10.0.0.1:80',
  '10.0.0.0/8',
  '!10.0.0.0/8',
  '0.0.0.0/0',
  '10.0.0.0/40',
  'fd00::/64',
  'https://a.example:443/',
  'tcp://a.example:80',
  'http://a b',
  '/path',
  'a.example:80',
  '90s',
  '-5m',
  '1h30',
  '10GB',
  '10 gib',
  '-1GB',
  '80%',
  '>= 1TB',
  '96:00:00:01:02:03',
  '8000-8010',
  '9-8',
  'value:NoSchedule',
  'NoExecute',
  'a.example/b',
  'a b',
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  'os:admin',
  'json_lines',
  '🙂',
)

const numbers = fc.constantFrom(0, 1, -1, 7, 100, 254, 300, 1280, 4094, 5000, 70_000, 5_000_000_000)

/** Whether an expression is one Talos alone can say, so these are. */
const expressions = fc.constantFrom('true', 'false', '')

/** Values of a scalar kind, or of an enumeration; now and then of another type. */
function scalar(kind: string, minor: number): fc.Arbitrary<Json> {
  if (kind === '(cel.Expression)') return expressions
  const right = rightScalar(kind, minor)
  return fc.oneof(
    { weight: 12, arbitrary: right },
    { weight: 2, arbitrary: texts },
    { weight: 1, arbitrary: numbers },
    { weight: 1, arbitrary: fc.constantFrom<Json>(true, null, [], {}, ['x'], { a: 'b' }) },
  )
}

function rightScalar(kind: string, minor: number): fc.Arbitrary<Json> {
  const names = namesOf(kind, minor)?.names
  if (names !== undefined)
    return fc.constantFrom(...names, ...names.map((name) => name.toUpperCase()))
  if (kind === 'bool') return fc.boolean()
  if (/^u?int/.test(kind)) return numbers
  return texts
}

/** A value of a kind of the table of fields, with few of the fields that it could have. */
export function arbitraryOf(kind: string, minor: number, depth = 0): fc.Arbitrary<Json> {
  if (kind === 'any') return fc.constantFrom<Json>('x', 1, { a: 'b' })
  if (kind.startsWith('[]')) {
    return orOther(fc.array(arbitraryOf(kind.slice(2), minor, depth + 1), { maxLength: 2 }))
  }
  if (kind.startsWith('{}')) {
    const keys = fc.constantFrom(
      'a',
      'a.example/b',
      'cpu',
      'port',
      '_x',
      'a b',
      'authorization-mode',
    )
    return orOther(
      fc.dictionary(keys, arbitraryOf(kind.slice(2), minor, depth + 1), { maxKeys: 2 }),
    )
  }
  if (!isStruct(kind)) return scalar(kind, minor)
  return orOther(structOf(kind, minor, depth))
}

function orOther(arbitrary: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  return fc.oneof(
    { weight: 25, arbitrary },
    { weight: 1, arbitrary: fc.constantFrom<Json>('x', 1, null, ['x'], { a: 'b' }) },
  )
}

function structOf(kind: string, minor: number, depth: number): fc.Arbitrary<JsonObject> {
  const fields = [...fieldsOf(kind, minor)].filter(
    ([name]) =>
      depth > 0 ||
      !['apiVersion', 'kind', 'name', 'version', 'cgroupRankingExpression'].includes(name),
  )
  if (fields.length === 0) return fc.constant({})
  return fc
    .subarray(fields, { maxLength: Math.min(fields.length, depth === 0 ? 5 : 4) })
    .chain((chosen) =>
      fc
        .tuple(
          fc.record(
            Object.fromEntries(
              chosen.map(([name, of]) => [name, arbitraryOf(of, minor, depth + 1)]),
            ),
          ),
          fc.nat({ max: 40 }),
        )
        .map(([value, dice]): JsonObject => (dice === 0 ? { ...value, unheardOf: 1 } : value)),
    )
}

/** One patch: some fields of the v1alpha1 document, or a further document of any kind, or two of these. */
export function randomPatch(minor: number): fc.Arbitrary<readonly JsonObject[]> {
  return fc.uniqueArray(fc.oneof(legacyPart(minor), furtherDocument(minor)), {
    minLength: 1,
    maxLength: 2,
    size: 'small',
    selector: ({ kind, name }) => JSON.stringify([kind, name]),
  })
}

function legacyPart(minor: number): fc.Arbitrary<JsonObject> {
  return fc.constantFrom('machine', 'cluster').chain((section) => {
    const kind = fieldsOf('v1alpha1.Config', minor).get(section) ?? ''
    const fields = [...fieldsOf(kind, minor)].filter(([name]) => name !== 'type')
    return fc
      .constantFrom(...fields)
      .chain(([name, of]) =>
        arbitraryOf(of, minor, 1).map((value) => ({ [section]: { [name]: value } })),
      )
  })
}

const names = fc.constantFrom(
  'a',
  'eth1',
  'net%d',
  '10.0.0.9',
  '10.9.0.0/16',
  '100',
  'STATE',
  'EPHEMERAL',
)

/** Of these the node says more than we do: containers of Talos's own, BGP, and specifications of OCI. */
const leftToTheNode = ['BGPInstanceConfig', 'CRIBaseRuntimeSpecConfig', 'ContainerConfig']

function furtherDocument(minor: number): fc.Arbitrary<JsonObject> {
  const kinds = documentKinds(minor).filter((kind) => !leftToTheNode.includes(kind))
  return fc.constantFrom(...kinds).chain((kind) => {
    const known = documentKind(kind, minor)
    return fc.tuple(structOf(known?.struct ?? '', minor, 0), names).map(([fields, name]) => ({
      apiVersion: 'v1alpha1',
      kind,
      ...(known?.isNamed && { name }),
      ...fields,
    }))
  })
}
