import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { resolveGoScalar } from '../../src/lib/go-scalar.ts'

describe('a plain scalar of Go', () => {
  const whole = (source: string, value: bigint) => [source, { is: 'int', value }] as const
  const float = (source: string, value: number) => [source, { is: 'float', value }] as const
  const time = (source: string, value: string) => [source, { is: 'time', value }] as const
  const text = (source: string) => [source, { is: 'text', value: source }] as const
  test.each([
    whole('0644', 0o644n),
    whole('-0644', -0o644n),
    whole('0o17', 15n),
    whole('0x_1F', 31n),
    whole('0b11', 3n),
    whole('1_000', 1000n),
    whole('+5', 5n),
    whole('-0', 0n),
    whole('18446744073709551615', 2n ** 64n - 1n),
    float('18446744073709551616', 18446744073709552000),
    float('1.10', 1.1),
    float('1e3', 1000),
    float('08', 8),
    float('.5', 0.5),
    float('1.', 1),
    float('-.inf', Number.NEGATIVE_INFINITY),
    time('2001-1-2', '2001-01-02T00:00:00Z'),
    time('2001-01-02T3:4:5.60Z', '2001-01-02T03:04:05.6Z'),
    time('2001-01-02 3:4:5', '2001-01-02T03:04:05Z'),
    time('2001-01-02T03:04:05+02:00', '2001-01-02T03:04:05+02:00'),
    text('2001-02-30'),
    text('2001-01-02T03:04:05'),
    text('yes'),
    text('on'),
    text('1e999'),
    text('0x'),
    text('12:30'),
    text('_1'),
    text('.'),
    text('<<'),
  ])('%s', (source, expected) => {
    expect(resolveGoScalar(source)).toEqual(expected)
  })

  test('is null without anything in it', () => {
    for (const source of ['', '~', 'null', 'Null', 'NULL']) {
      expect(resolveGoScalar(source)).toEqual({ is: 'null' })
    }
  })
})

test('whatever JSON writes as a number, Go reads as that number', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
      (n) => {
        const scalar = resolveGoScalar(JSON.stringify(n))
        expect(scalar.is === 'int' || scalar.is === 'float').toBe(true)
        if (scalar.is === 'int' || scalar.is === 'float') expect(Number(scalar.value)).toBe(n + 0)
      },
    ),
  )
})
