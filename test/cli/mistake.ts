import { expect } from 'vitest'
import type { ErrorCode } from '../../src/lib/error-codes.ts'
import type { CommandBench, Ended } from './command-bench.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Something that a user does wrong, and what must be told. */
export interface Mistake {
  readonly name: string
  readonly args: readonly string[]
  /** The cluster file; a good one where absent. A function gets a name that no other mistake has. */
  readonly file?: string | Uint8Array | ((clusterName: string) => string)
  /** `answersHtml` is the address of something that is not Hetzner. */
  readonly env?: Environment | ((bench: CommandBench, answersHtml: string) => Environment)
  readonly code: ErrorCode
  /** What standard error must say besides the code. */
  readonly mentions: readonly (string | RegExp)[]
}

/** Looks like a secret, and is planted wherever one may stand: it must not come out again. */
export const canary = 'canaryCANARYcanaryCANARYcanaryCANARYcanaryCANARYcanaryCANARYcanary'

/** One message, its own exit code, no stack and no secret. */
export function expectClearFailure(
  { code, stdout, stderr }: Ended,
  expected: { readonly code: number; readonly mentions: readonly (string | RegExp)[] },
  { environment, identity }: CommandBench,
): void {
  expect(code, stderr).toBe(expected.code)
  for (const words of expected.mentions) expect(stderr).toMatch(words)
  expect(stderr.match(/^error /gm), 'one message').toHaveLength(1)
  expect(stderr).not.toMatch(/^\s+at |a bug in hcloud-talos/m)
  for (const secret of [canary, identity, environment['HCLOUD_TOKEN'] ?? '']) {
    expect(`${stdout}${stderr}`).not.toContain(secret)
  }
}
