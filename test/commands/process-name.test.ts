import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { seededRandom } from '../../src/lib/random.ts'
import { isNamedProcessOver, nameProcess } from '../../src/run/process-name.ts'

test('a process that was killed is proven to be over by its name, and one that lives is not', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'])
  await once(child, 'spawn')
  const name = await nameProcess(child.pid ?? 0, seededRandom(1))
  expect(await isNamedProcessOver(name)).toBeUndefined()
  child.kill('SIGKILL')
  await once(child, 'close')
  expect(await isNamedProcessOver(name)).toBe(true)
  // Another machine, or another space of process ids: there the number says nothing.
  const elsewhere = name.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))
  for (const other of [elsewhere, '', undefined, 'x', `${name}-more`, '0123abcd']) {
    expect(await isNamedProcessOver(other)).toBeUndefined()
  }
})

test('names of one process differ, since numbers are used again', async () => {
  const names = [seededRandom(1), seededRandom(2)].map((random) => nameProcess(1, random))
  expect(new Set(await Promise.all(names)).size).toBe(2)
})
