import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { writeXz } from '../../../src/sandbox/factory/xz.ts'

it('a disk image of the factory is what xz itself unpacks, over more than one chunk', () => {
  const content = Buffer.from(Array.from({ length: 140_000 }, (_, index) => index % 251))
  const { status, stdout } = spawnSync('xz', ['--decompress', '--stdout'], {
    input: writeXz(content),
    maxBuffer: 2 ** 20,
  })
  expect(status).toBe(0)
  expect(stdout.equals(content)).toBe(true)
})
