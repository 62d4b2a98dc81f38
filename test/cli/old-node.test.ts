import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const command = resolve(import.meta.dirname, '../../dist/cli.cjs')

/** What the command says and ends with, on a Node that says that it is another. */
function runOn(version: string) {
  const folder = mkdtempSync(join(tmpdir(), 'hcloud-talos-node-'))
  try {
    const disguise = join(folder, 'disguise.cjs')
    writeFileSync(
      disguise,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`,
    )
    const args = ['--require', disguise, command, '--version']
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    return { status, stdout, stderr }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test.each(['18.20.8', '20.20.2', '23.11.1'])('Node %s is told that it is too old', (version) => {
  expect(runOn(version)).toEqual({
    status: 4,
    stdout: '',
    stderr: `error node-too-old: this is Node ${version}, and hcloud-talos needs 24 or newer\n`,
  })
})

test.each(['24.0.0', '26.1.0'])('Node %s runs it', (version) => {
  expect(runOn(version)).toMatchObject({ status: 0, stderr: '' })
})
