import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { childrenCpuMs, runMeasured } from '../../scripts/bench/measured-process.ts'

test('what the shell says of its children is read as milliseconds, user and system together', () => {
  expect(childrenCpuMs('0m0.00s 0m0.01s\n0m1.25s 0m0.10s\n')).toBe(1_350)
  expect(childrenCpuMs('0m0.001s 0m0.000s\n2m0.500s 0m0.250s\n')).toBe(120_750)
})

test('a process is measured as the kernel accounts for it, and fails as it did', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hcloud-talos-test-'))
  try {
    const script = join(folder, 'script.cjs')
    await writeFile(script, `console.log('said'); process.exitCode = Number(process.argv[2])`)
    const environment = { PATH: process.env['PATH'] ?? '' }
    const measured = await runMeasured([script, '0'], { folder, environment })
    expect(measured.output).toBe('said\n')
    expect(measured.ownCpuMs).toBeGreaterThan(0)
    expect(measured.peakMb).toBeGreaterThan(10)
    await expect(runMeasured([script, '7'], { folder, environment })).rejects.toThrow('exit code 7')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
