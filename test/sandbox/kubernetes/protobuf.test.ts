import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { describe, expect, test } from 'vitest'
import { decodeObject, isProtobuf } from '../../../src/sandbox/kubernetes/protobuf/decode-object.ts'

type Part = string | number | boolean | Uint8Array

/** A message of these numbered fields. */
function message(...fields: readonly (readonly [number, Part])[]): Uint8Array {
  const writer = new BinaryWriter()
  for (const [number, value] of fields) {
    if (typeof value === 'string') writer.tag(number, WireType.LengthDelimited).string(value)
    else if (typeof value === 'number') writer.tag(number, WireType.Varint).int64(value)
    else if (typeof value === 'boolean') writer.tag(number, WireType.Varint).bool(value)
    else writer.tag(number, WireType.LengthDelimited).bytes(value)
  }
  return writer.finish()
}

function body(apiVersion: string, kind: string, raw: Uint8Array): Buffer {
  const envelope = message([1, message([1, apiVersion], [2, kind])], [2, raw], [3, ''])
  return Buffer.concat([Buffer.from('k8s\0'), envelope])
}

describe('a protobuf body', () => {
  test('is told from JSON', () => {
    expect(isProtobuf(body('v1', 'Namespace', message()))).toBe(true)
    expect(isProtobuf(Buffer.from('{}'))).toBe(false)
  })

  test('is the object that it stands for, without what was only written as empty', () => {
    const metadata = message(
      [1, 'a'],
      [2, ''],
      [8, message()],
      [11, message([1, 'app'], [2, 'web'])],
      [14, 'x/one'],
      [14, 'x/two'],
    )
    const raw = message([1, metadata], [2, message([1, 'key'], [2, 'value'])], [4, false])
    expect(decodeObject(body('v1', 'ConfigMap', raw))).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', labels: { app: 'web' }, finalizers: ['x/one', 'x/two'] },
      data: { key: 'value' },
      immutable: false,
    })
  })

  test('keeps a zero that was meant', () => {
    const raw = message([1, message([1, 'pod'])], [2, message([1, 0])])
    expect(decodeObject(body('policy/v1', 'Eviction', raw))).toEqual({
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: 'pod' },
      deleteOptions: { gracePeriodSeconds: 0 },
    })
  })

  test('holds times, percentages and bytes', () => {
    const seconds = Date.UTC(2025, 0, 2, 3, 4, 5) / 1_000
    const budget = message(
      [1, message([1, 'a'], [8, message([1, seconds])])],
      [2, message([1, message([1, 1], [2, 0], [3, '50%'])], [3, message([1, 0], [2, 2], [3, ''])])],
    )
    expect(decodeObject(body('policy/v1', 'PodDisruptionBudget', budget))).toMatchObject({
      metadata: { creationTimestamp: '2025-01-02T03:04:05Z' },
      spec: { minAvailable: '50%', maxUnavailable: 2 },
    })
    const secret = message(
      [1, message([1, 'a'])],
      [2, message([1, 'k'], [2, new Uint8Array([1, 2])])],
    )
    expect(decodeObject(body('v1', 'Secret', secret))).toMatchObject({ data: { k: 'AQI=' } })
  })

  test('is refused rather than read in part', () => {
    const unknownField = message([99, 'new'])
    for (const one of [body('v1', 'Namespace', unknownField), body('v1', 'Strange', message())]) {
      expect(() => decodeObject(one)).toThrow('as protobuf')
    }
  })
})
